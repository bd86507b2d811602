(** The Fibonacci numbers by two recursive calls: almost all work is forking. *)

val value : int -> int
(** [value n] is the [n]th Fibonacci number, by additions ([value 0 = 0], [value 1 = 1]). *)

val forks : int -> int
(** [forks n] is how many calls of the recursive program for [n] make two more calls: those with an argument
    of 2 or more. *)

val sequential : int -> int
(** [sequential n] is the plain program. *)

val par : int -> int
(** [par n] is the program by {!Weft.par}, without a cutoff. *)

val async : int -> int
(** [async n] is the program by {!Weft.async}, without a cutoff. *)

val work : ?forks:int -> int -> (int -> int) -> Weft_bench_harness.Benchmark.work option
(** [work n program] computes the [n]th number by [program]. [forks] is the number of its forks, given if
    forking is most of its work. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [fib]: 40 with cutoff 20, 36 without cutoff. *)
