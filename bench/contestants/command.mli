(** Programs of the system that a user would take for data in a file. *)

open Weft_bench_harness

val awk : Contestant.t
val sort : Contestant.t

val is_there : Contestant.t -> bool
(** Whether the program is in one of the folders of [PATH]. *)

val lines_of : Contestant.t -> string list -> string list
(** [lines_of program arguments] runs it, and is the lines that it prints. Its standard input is empty; what
    it writes to standard error is seen there.
    @raise Failure if it fails. *)
