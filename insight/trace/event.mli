(** The contents of a trace, as types for what doc/trace-format.md describes. *)

type argument = Int of int | Text of string | Bool of bool

type shape =
  | Complete of int  (** a span of so many ns, from [time] on *)
  | Instant
  | Begin of int
      (** the beginning of a span that may end on another track; the number identifies it within the category
      *)
  | End of int
  | Counter of int  (** a counter, with the number of the thing counted; the arguments are its values *)
  | Flow_out of int  (** where an arrow begins: a fiber ends the wait of that number, *)
  | Flow_in of int  (** and where it ends: that fiber goes on *)

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
  | Ended  (** how it ended is unknown *)
  | Running

type worker = { number : int; index : int; pool : string option }

type fiber = {
  fiber : int;
  parent : int;  (** or 0 *)
  name : string;  (** or empty *)
  at : string option;  (** the line of its function *)
}

type about = {
  program : string;
  arguments : string list;
  pid : int;
  by : [ `Trace | `Attach | `Rings ];
  outcome : outcome;
  began : int;  (** ns of the monotonic clock: the time 0 of the file *)
  began_at : float;  (** the same moment, in seconds since 1970 *)
  ended : int;  (** the time of the last event *)
  last : float option;  (** only the events of the last so many seconds before [ended] were kept *)
  events : int;
  unmatched : int;
  read : (int * int) list;  (** events that were read, by ring *)
  lost : (int * lost) list;  (** by ring, for the rings that lost events *)
  damaged : string option;  (** why the rings could not be read to their ends *)
  tracer_cpu : int option;
      (** ns of processor time that the tracer itself has had meanwhile; [None] without a tracer *)
  workers : worker list;
  fibers : fiber list;
  tracks : (int * string) list;  (** the names of the tracks *)
  weft : string;  (** the version of the tool *)
}

val lost_in_all : about -> lost
