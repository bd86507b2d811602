(** What a trace consists of: doc/trace-format.md, as types. *)

type argument = Int of int | Text of string | Bool of bool

type shape =
  | Complete of int  (** a span of so many ns, from [time] on *)
  | Instant
  | Begin of int  (** of a span that may end on another track; the number is its own in the category *)
  | End of int
  | Counter of int  (** of what the number says; the arguments are its values *)

type t = {
  time : int;  (** ns of the monotonic clock *)
  track : int;  (** [tid] *)
  category : Category.t;
  name : string;
  shape : shape;
  arguments : (string * argument) list;
}

(** {1 About the trace as a whole} *)

type lost = { words : int; events : int  (** estimated *) }

type outcome =
  | Exited of int
  | Killed of int  (** the system's number of a signal *)
  | Ended  (** one way or the other *)
  | Running

type worker = { number : int; index : int; pool : string option }

type about = {
  program : string;
  arguments : string list;
  pid : int;
  by : [ `Trace | `Attach ];
  outcome : outcome;
  began : int;  (** ns of the monotonic clock: the time 0 of the file *)
  began_at : float;  (** the same in seconds since 1970 *)
  ended : int;  (** when the last event was *)
  last : float option;  (** only the events of so many seconds before that were kept *)
  events : int;
  unmatched : int;
  read : (int * int) list;  (** events that were read, by ring *)
  lost : (int * lost) list;  (** by ring, of those that lost any *)
  workers : worker list;
  tracks : (int * string) list;  (** what to call them *)
  weft : string;  (** the version of the tool *)
}

val lost_in_all : about -> lost
