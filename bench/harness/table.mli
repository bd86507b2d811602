(** Prints rows as a table for people. *)

val render : Row.t list -> string
(** [render rows] is a block of lines for each benchmark, size and cutoff, in the order of [rows]. The plain
    programs of a benchmark and size are repeated at the top of each of its blocks. Numbers are aligned to the
    right. A dash stands where a figure does not apply, and a column of dashes is left out. The figures that a
    work gives are the last columns of its block, except for the buckets of histograms. *)
