(** Bodies that attract each other. *)

type body = { mass : float; x : float; y : float; z : float; vx : float; vy : float; vz : float }
(** Where it is, and how it moves. Units are such that the constant of gravitation is 1. *)

type t = {
  bodies : body array;
  softening : float;
      (** How near bodies come without much more attraction; with 0, bodies that nearly meet are thrown far
          off by a step that is too large. *)
}

val cluster : seed:int -> int -> t
(** [cluster ~seed n] is [n] bodies drawn at random, in a ball of radius 1, with mass 1 and momentum 0
    together, so fast that they neither fall into the middle nor fly apart. *)

val step : float -> t -> t
(** [step dt system] is [system] a time [dt] later: each body is attracted by all others, and then moves with
    its new velocity. Errors of energy grow in proportion to [dt], but hardly with the number of steps. *)

val energy : t -> float
(** What does not change, but for such errors: of motion, less that of attraction. *)

val momentum : t -> float * float * float
(** What does not change, but for rounding. *)
