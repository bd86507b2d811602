(** What [weft scale] says. *)

val duration : int -> string
(** Nanoseconds: ["1.24 ms"]. *)

val ratio : float -> string
val parallelism : Recorded.figures -> float

val table : string list list -> string
(** Lines of columns as wide as what is in them. *)

val figures_to_json : Recorded.figures -> (string * Yojson.Safe.t) list

val text : ?measured:(int * float) list -> program:string -> Recorded.t -> Curve.t -> string
(** The table of regions, the curve, and what limits. [measured]: seconds in calls, by the number of workers.
*)

val json : ?measured:(int * float) list -> program:string list -> Recorded.t -> Curve.t -> Yojson.Safe.t
(** All figures, in nanoseconds, with the curves of all regions. *)

val speed_up_measured : (int * float) list -> int -> float option
(** From the seconds by numbers of workers: that of so many over one. *)

val verdict : Recorded.t -> string
(** What limits the speed-up, in a sentence or two. *)
