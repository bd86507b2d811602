(** The predicted speed-up of a profile, for several numbers of workers. *)

type point = {
  workers : int;
  upper : float;  (** by work law and span law: no schedule is faster *)
  lower : float;  (** what work stealing should reach at least *)
  simulated : float option;  (** [None] if the graph is incomplete *)
}

type t = {
  points : point list;
  region : Recorded.region option;  (** the region of the curve; [None]: the whole program *)
  steal : int;  (** the cost of a steal in the simulation, in nanoseconds *)
}

val usual_workers : int list
(** The powers of two up to 1024. *)

val figures : Recorded.figures -> Weft.Profile.figures
(** The figures in seconds. *)

val of_figures : Recorded.figures -> workers:int -> float * float
(** The lower and the upper bound. *)

val make : ?workers:int list -> steal:int -> Recorded.t -> (t, string) result
val of_region : ?workers:int list -> Recorded.region -> t

val limit : Recorded.t -> Recorded.region option
(** The region with the largest part of the span; [None] if a larger part lies in no region. *)

val enough : Recorded.figures -> int
(** The number of workers for which the parallelism is ten times their number; at least 1. *)
