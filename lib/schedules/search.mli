(** Looks for a schedule that fails, and for the shortest one that fails alike.

    A program is run again and again by a function [run : how -> (run, 'e) result]; an [Error] ends the
    search. *)

type how =
  | First  (** always the first option *)
  | Walk of int  (** each option with the same probability, from this seed *)
  | Priorities of { seed : int; depth : int; length : int }  (** see {!Explore_settings} *)
  | Schedule of Schedule_file.choice list  (** where it says nothing, the first option *)

type failure = {
  kind : string;
      (** [deadlock], [livelock], [exception Not_found], ...: two failures of one kind are the same *)
  text : string;  (** what is known about it besides *)
}

type run = {
  failure : failure option;
  choices : int;
  record : Record.t option;  (** {!exhaustive} and {!shortest} need it *)
}

type found =
  | Fails of { number : int;  (** of the run, from 1 on *) how : how; run : run; failure : failure }
  | Holds of { runs : int; all : bool  (** there is no other schedule of the kind *) }

val sampled : (how -> (run, 'e) result) -> seed:int -> depth:int -> schedules:int -> (found, 'e) result
(** One after the other: the schedule of the first options; then random walks and priorities by turns, from
    [seed] on. *)

val exhaustive : (how -> (run, 'e) result) -> most:int -> schedules:int -> (found, 'e) result
(** All schedules with at most [most] choices that are not the first option, those with few first; at most
    [schedules] of them. *)

val shortest :
  (how -> (run, 'e) result) ->
  failure ->
  Schedule_file.choice list ->
  (Schedule_file.choice list * Record.t) option
(** A schedule that fails alike, with as few choices as some hundred runs find, and its record. [None]: the
    choices do not fail again, since the program does not do the same each time. *)
