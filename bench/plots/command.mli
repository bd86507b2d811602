(** The commands that measure rows again. *)

open Weft_bench_harness

val of_rows : runs:int -> Row.t list -> string
(** [of_rows ~runs rows] is a command line for a POSIX shell that measures [rows], and perhaps others beside
    them; it writes [results.json]. Several, one a line, where one cannot do it. *)
