(** Adds Weft's rivals to its benchmarks, which do not know of them. *)

open Weft_bench_harness

val join : Benchmark.t list -> Benchmark.t list
(** [join benchmarks] is the same benchmarks with the ways of all rivals that are available, after their own:
    first other libraries ({!Weft_bench_rivals.Rivals}), then other languages ({!Weft_bench_foreign.Foreign}).
*)

val missing : Contestant.missing list
(** The rivals that are missing, and those that take part in some of their benchmarks only. *)

val own : string -> string option
(** [own name] is the plain program in the same language, if the method [name] is a program in another
    language; for [book], the one with the same steps. *)

val version : string -> string option
(** [version name] is, for a rival that is available, what is known of the versions of its library and
    compiler; also for the structures without locks, which are Saturn's. *)

val is_foreign : Contestant.t -> bool
(** [is_foreign contestant] is whether it is a program in another language. *)

val is_rival : Contestant.t -> bool
(** [is_rival contestant] is whether it is another library or a program in another language. *)
