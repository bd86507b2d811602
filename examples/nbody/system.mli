(** Bodies that attract each other. *)

type body = { mass : float; x : float; y : float; z : float; vx : float; vy : float; vz : float }
(** The position and velocity. In these units the constant of gravitation is 1. *)

type t = {
  bodies : body array;
  softening : float;
      (** The distance below which attraction hardly grows; with 0, bodies that nearly meet are thrown far off
          by a step that is too large. *)
}

val cluster : seed:int -> int -> t
(** [cluster ~seed n] is [n] bodies drawn at random, in a ball of radius 1, with total mass 1 and momentum 0.
    Their speed is such that they neither fall into the middle nor fly apart. *)

val step : float -> t -> t
(** [step dt system] is [system] a time [dt] later: each body is attracted by all others, and then moves with
    its new velocity. Errors of the energy grow in proportion to [dt], but hardly with the number of steps. *)

val energy : t -> float
(** The energy of motion minus that of attraction, which is constant except for such errors. *)

val momentum : t -> float * float * float
(** The momentum, which is constant except for rounding. *)
