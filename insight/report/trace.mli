(** A trace in memory, in the order of time: about 150 bytes for each event. *)

type span = {
  track : int;  (** the track on which it began: an index of [tracks] *)
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
  value : string;  (** the name of the counter's value *)
  samples : (int * float) array;  (** time and value, in the order of time *)
}

type track = {
  pid : string;
  tid : string;
  label : string;  (** such as [worker 1], with its pool if that is not the default one *)
  spans : span array;  (** by start; with equal starts, the longest first *)
}

type t = {
  weft : (string * Yojson.Safe.t) list;  (** [otherData.weft]; empty in the traces of other programs *)
  tracks : track array;  (** in the order of their numbers *)
  apart : span array;  (** spans that may begin on one track and end on another, by start *)
  instants : instant array;
  series : series array;
  duration : int;  (** ns from the first event to the end of the last *)
  events : int;  (** the number of events in the file, without metadata *)
  unmatched : int;
      (** the numbers of beginnings without end (they are kept, as if they lasted to the end of the trace),
          and of ends without beginning *)
}

val load : string -> (t, string) result
(** [load path] reads the file. [Error] is one line, as in {!Reader.read}; a trace without events, or of a
    later version of Weft's format, is an error too. *)

val is_weft : t -> bool
(** Whether [weft trace] wrote the trace. *)
