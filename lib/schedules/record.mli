(** What an explored program has recorded: each point at which another fiber might have gone on. See
    [lib/scheduler/explore/explored.ml], which writes it. *)

type point = {
  fiber : string;
  number : int;  (** of the fiber's points; 0 if nothing else was ready *)
  takes : string;  (** who went on *)
  what : string;
  site : string;  (** file and line of the program, or ["-"] *)
  options : string list;  (** the first is what a schedule need not say *)
}

type t = {
  choices : int;
  misfits : int;  (** choices of the schedule that were not made *)
  cut : bool;  (** the record was too long: its end is missing *)
  ended : string;
  points : point list;
}

val parse : string -> t option
(** [None] if it is damaged. *)

val read : string -> t option
(** The file's; [None] also if there is none. *)

val is_choice : point -> bool
(** Not the first option was taken. *)

val schedule : t -> Schedule_file.choice list
(** All of these. *)

val extended : t -> Schedule_file.choice list list
(** The schedules that have one choice more, after the last one of this. *)

val pairs : t -> (string * string) list
(** What follows on each other in different fibers. *)
