(** Counting the words of many files: once in a plain loop, once in parallel. *)

type t = {
  words : Tally.t;
  mutable files : int;  (** number of files read *)
  mutable bytes : int;  (** their total size *)
  mutable skipped : Skipped.t list;  (** files that could not be read, in no particular order *)
}

val sequentially : ?on_bytes:(int -> unit) -> min_length:int -> Tree.file array -> t
(** [sequentially ~min_length files] reads and counts [files] one after the other. [on_bytes n] is called each
    time that about [n] more bytes are done. Each file is in memory while its words are counted. *)

val in_parallel : ?on_bytes:(int -> unit) -> ?piece:int -> min_length:int -> Tree.file array -> t
(** [in_parallel ~min_length files] does the same with {!Weft.par}: the files are divided in halves down to
    single files, and the text of a file in halves down to [piece] bytes (default 65,536), so that one huge
    file is shared too. [on_bytes] may be called by several domains at once. *)

val equal : t -> t -> bool
(** [equal a b] tells whether [a] and [b] are the same: words, files, bytes and skipped files. *)
