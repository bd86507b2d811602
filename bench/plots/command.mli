(** The commands that measure rows again. *)

open Weft_bench_harness

val of_rows : runs:int -> Row.t list -> string
(** [of_rows ~runs rows] is a command line for a POSIX shell that measures [rows], and perhaps other rows too;
    it writes [results.json]. If one command cannot do it, there are several, one a line. *)
