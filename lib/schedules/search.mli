(** Looks for a schedule that fails, and shrinks it.

    A program is run again and again by a function [run : how -> (run, 'e) result]; an [Error] ends the
    search. *)

type how =
  | First  (** always the first option *)
  | Walk of int  (** each option with the same probability, from this seed *)
  | Priorities of { seed : int; depth : int; length : int }  (** see [Explore_settings] *)
  | Schedule of Schedule_file.choice list  (** where it says nothing, the first option *)

type failure = {
  kind : string;
      (** [deadlock], [livelock], [exception Not_found], ...: two failures of one kind are the same *)
  text : string;  (** what is known about it besides *)
}

type run = {
  failure : failure option;
  decisions : int;  (** points at which there were two options or more; the [length] of PCT *)
  record : Record.t option;  (** {!exhaustive} and {!shrunk} need it *)
}

type found =
  | Fails of {
      number : int;  (** of the run, from 1 on *)
      how : how;
      failure : failure;
      record : Record.t option;
    }
  | Holds of { runs : int; all : bool  (** there is no other schedule of the kind *) }

val sampled : (how -> (run, 'e) result) -> seed:int -> depth:int -> schedules:int -> (found, 'e) result
(** One after the other: the schedule of the first options; then random walks and priorities by turns, from
    [seed] on. *)

val exhaustive : (how -> (run, 'e) result) -> choices:int -> schedules:int -> (found, 'e) result
(** The schedules that differ from the one of the first options in at most [choices] choices, those with few
    before those with more; at most [schedules] of them. *)

val shrunk :
  (how -> (run, 'e) result) ->
  failure ->
  Schedule_file.choice list ->
  (Schedule_file.choice list * Record.t) option
(** A schedule that fails alike, with as few choices as up to 400 runs find, and its record. [None]: these
    choices do not fail again, since the program does not do the same each time. *)
