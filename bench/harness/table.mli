(** Rows as a table for people. *)

val render : Row.t list -> string
(** [render rows] is a block of lines for each benchmark, size and cutoff, in the order of [rows]. The plain
    programs of a benchmark and size are repeated at the top of each of its blocks. Numbers are aligned to the
    right; a dash stands where a figure does not apply, and a column of dashes is left out. The figures that
    works give themselves are the last columns of their own block, but for the buckets of histograms. *)
