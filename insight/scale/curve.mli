(** The speed-up that a profile promises, for several numbers of workers. *)

type point = {
  workers : int;
  upper : float;  (** work law and span law: no schedule is faster *)
  lower : float;  (** what work stealing should at least come to *)
  simulated : float option;  (** [None] without a whole graph *)
}

type t = {
  points : point list;
  region : Recorded.region option;  (** of which: [None]: of all *)
  steal : int;  (** nanoseconds, as simulated *)
}

val usual_workers : int list
(** The powers of two up to 1024. *)

val figures : Recorded.figures -> Weft.Profile.figures
(** In seconds. *)

val of_figures : Recorded.figures -> workers:int -> float * float
(** The lower and the upper bound. *)

val make : ?workers:int list -> steal:int -> Recorded.t -> (t, string) result
val of_region : ?workers:int list -> Recorded.region -> t

val limit : Recorded.t -> Recorded.region option
(** The region with the largest part of the span; [None] if more of it lies in none. *)

val enough : Recorded.figures -> int
(** So many workers have ten times as many parts to share as they are. At least 1. *)
