(** What an explored program has recorded: each point at which another fiber might have gone on. See
    [lib/scheduler/explore/explored.ml], which writes it. *)

type point = {
  fiber : string;
  number : int;  (** of the fiber's points; 0 if nothing else was ready *)
  takes : string;  (** who went on; or {!Weft_scheduler.Schedule_file.time}, which passed *)
  what : string;
  site : string;  (** file and line of the program, or ["-"] *)
  options : string list;  (** the first is taken where a schedule says nothing *)
}

type t = {
  decisions : int;  (** points with two options or more *)
  misfits : int;  (** choices of the schedule that were not made *)
  cut : bool;  (** the record was too long: its end is missing *)
  ended : string;  (** ["exit"] or ["livelock"] *)
  points : point list;
}

val parse : string -> t option
(** [None] if it is damaged. *)

val read : string -> t option
(** The file's; [None] also if there is none, or if it has more than 64 MiB. *)

val is_choice : point -> bool
(** Whether another option than the first was taken. *)

val schedule : t -> Schedule_file.choice list
(** The choices of the points for which {!is_choice} holds. *)

val extended : t -> Schedule_file.choice list list
(** The schedules that make one choice more, at a point after the last choice of this one. *)

val pairs : t -> (string * string) list
(** The operations that ran one right after the other in two fibers. *)
