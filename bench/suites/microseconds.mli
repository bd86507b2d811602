(** Work that takes a given time: operations of some nanoseconds each. How many of them a microsecond takes is
    measured once, at the first use: benchmarks use it first outside any pool. All methods of a run then do
    the same number of operations, and rows tell that number ({!figure}); the time of the sequential program
    tells what the work really took. *)

val per_microsecond : unit -> int
(** [per_microsecond ()] is how many operations a microsecond takes: the best of several loops that call
    {!advance}, as a loop of a benchmark does. *)

val assume : int -> unit
(** [assume n] makes [n] the number, in a process that does a part of what another one has planned. *)

val figure : unit -> Weft_bench_harness.Figure.t
(** The figure ["ops/us"], the number. *)

val advance : int array -> int -> unit
(** [advance cells i] is one operation, which replaces [cells.(i)] by a value that depends on it: so a lost or
    repeated operation is noticed. *)

val spend : int -> unit
(** [spend n] is [n] operations, which take as long as those of {!advance}, and allocate nothing. *)

val chain : int -> int -> int
(** [chain n x] are [n] multiplications, each of which needs the result of the one before. *)
