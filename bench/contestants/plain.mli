(** Plain sequential programs. *)

open Weft_bench_harness

val contestant : Contestant.t
(** [sequential], the baseline. *)

val in_place : Contestant.t
(** [in-place], for loops: the baseline of loops calls the body as a closure, as every loop function does;
    here the body is written inside the loop, where the compiler sees it. *)

val best_sequential : Contestant.t
(** [best_sequential], the baseline where the sequential program with the same steps is not the best. *)

val same_steps : Contestant.t
(** [sequential] beside [best_sequential]: the steps of the parallel program, in plain code. *)

(** {1 Loops} *)

val for_ : start:int -> finish:int -> body:(int -> unit) -> unit
(** [for_ ~start ~finish ~body] is [for i = start to finish do body i done]. *)

val reduce : start:int -> finish:int -> body:(int -> 'a) -> ('a -> 'a -> 'a) -> 'a -> 'a
(** [reduce ~start ~finish ~body combine init] combines [init, body start, ..., body finish] from the left. *)
