(** The output of [weft scale]. *)

val duration : int -> string
(** A time given in nanoseconds: ["1.24 ms"]. *)

val ratio : float -> string
val parallelism : Recorded.figures -> float

val table : string list list -> string
(** A table whose columns are as wide as their widest cells. *)

val figures_to_json : Recorded.figures -> (string * Yojson.Safe.t) list

type against = { command : string; seconds : float; weft : (int * float) list }
(** What [weft scale --against] has measured: seconds of whole runs of a sequential command, and of the
    program by its number of domains, one among them. *)

val comparison : program:string -> against -> string
(** How long both take, and what it costs to have the program parallel: two lines, and an empty one. *)

val text :
  ?measured:(int * float) list -> ?against:against -> program:string -> Recorded.t -> Curve.t -> string
(** The comparison with [against], the table of regions, the curve, and what limits the speed-up. [measured]:
    seconds in calls, by the number of workers. *)

val json :
  ?measured:(int * float) list ->
  ?against:against ->
  program:string list ->
  Recorded.t ->
  Curve.t ->
  Yojson.Safe.t
(** All figures, in nanoseconds, with the curves of all regions. But for [outside_ns], they are of what runs
    in Weft's pools. *)

val speed_up_measured : (int * float) list -> int -> float option
(** The speed-up of so many workers over one, from the seconds by numbers of workers. *)

val verdict : Recorded.t -> string
(** What limits the speed-up, in a sentence or two. *)
