(** Where, with what and how the benchmarks ran. *)

type start
(** The state of the machine when the run began. *)

val start : unit -> start
(** [start ()] is that state now. *)

type t
(** What there is to say of a run as a whole. *)

val finish :
  ?warm_up:bool -> ?interrupted_after:int -> ?missing:Contestant.missing list -> start -> runs:int -> t
(** [finish start ~runs] is the header for [runs] measured rounds that began at [start] and end now, after one
    to warm up, unless [warm_up] is false. [interrupted_after]: after so many of them the run was ended.
    [missing] (default: none) are the contestants that would have taken part. *)

val to_json : t -> Yojson.Safe.t
(** [to_json t] is the object [header] of the JSON file. What the system does not tell is null. *)

val summary : t -> string
(** [summary t] is a few lines for below the table: machine, compiler, rounds, and stolen time. *)
