(** Weft's benchmarks and its rivals, brought together: the benchmarks know nothing of them. *)

open Weft_bench_harness

val join : Benchmark.t list -> Benchmark.t list
(** [join benchmarks] is the same with the ways of all rivals that are there, after the others: other
    libraries ({!Weft_bench_rivals.Rivals}), then other languages ({!Weft_bench_foreign.Foreign}). *)

val missing : Contestant.missing list
(** Those that are not there, and those that take a part in something only. *)

val own : string -> string option
(** [own name] is the plain program in the same language, if the method [name] is a program in another
    language. *)

val version : string -> string option
(** [version name] is, for a rival that is there, what is known of the versions of its library and compiler;
    also for the structures without locks, which are Saturn's. *)

val is_foreign : Contestant.t -> bool
(** [is_foreign contestant] tells whether that is a program in another language. *)

val is_rival : Contestant.t -> bool
(** [is_rival contestant] tells whether that is another library or a program in another language. *)
