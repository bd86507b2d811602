(** The Fibonacci numbers by two recursive calls: hardly any work but the forks. *)

val value : int -> int
(** [value n] is the [n]th Fibonacci number, by additions ([value 0 = 0], [value 1 = 1]). *)

val forks : int -> int
(** [forks n] is how many calls of the recursive program for [n] call it again: those with an argument of 2 or
    more. *)

val sequential : int -> int
(** [sequential n] is the plain program. *)

val work : ?forks:int -> int -> (int -> int) -> Weft_bench_harness.Benchmark.work option
(** [work n program] is to compute the [n]th number by [program], which makes [forks] forks if they are most
    of what it does. *)

val benchmark : Weft_bench_harness.Benchmark.t
(** [fib]: 40 with cutoff 20, 36 without cutoff. *)
