(** A trace in memory, in the order of time: about 150 bytes an event. *)

type span = {
  track : int;  (** where it began: an index of [tracks] *)
  end_track : int;
  category : Category.t;
  name : string;
  start : int;  (** ns after [first] *)
  stop : int;  (** at least [start] *)
  arguments : Event.arguments;
}

type instant = { track : int; category : Category.t; name : string; time : int; arguments : Event.arguments }

type series = {
  counter : string;
  id : string;
  value : string;  (** which of the counter's values *)
  samples : (int * float) array;  (** time and value, in the order of time *)
}

type track = {
  pid : string;
  tid : string;
  label : string;  (** such as [worker 1], with its pool if that is not the default one *)
  spans : span array;  (** by start, of equal ones the longest first *)
}

type t = {
  weft : (string * Yojson.Safe.t) list;  (** [otherData.weft]; empty in the traces of other programs *)
  tracks : track array;  (** in the order of their numbers *)
  apart : span array;  (** spans that may begin on one track and end on another, by start *)
  instants : instant array;
  series : series array;
  duration : int;  (** ns from the first event to the end of the last *)
  events : int;  (** as the file counts them, without metadata *)
  unmatched : int;
      (** beginnings without end (which are kept, to the end of the trace), ends without beginning *)
}

val load : string -> (t, string) result
(** [load path] reads the file. [Error] is one line, as in {!Reader.read}; also for a trace without events,
    and for one of a later version of Weft's format. *)

val is_weft : t -> bool
(** Written by [weft trace]. *)
