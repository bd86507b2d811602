(** The events of a trace; [doc/trace-format.md] describes those that [weft trace] writes. *)

type arguments = (string * Yojson.Safe.t) list

module Table : Hashtbl.S with type key = arguments
(** Tables by all arguments of an event, however many are alike. *)

type phase =
  | Begin
  | End
  | Complete of int  (** its duration, ns *)
  | Instant
  | Async_begin
  | Async_end
  | Flow  (** the beginning of an arrow *)
  | Sample  (** the values of a counter *)
  | Metadata
  | Ignored  (** other kinds of Chrome's format *)

type raw = {
  phase : phase;
  time : int;  (** ns *)
  pid : string;
  tid : string;  (** both are numbers in traces of [weft trace]; other programs may use names *)
  id : string;  (** empty if there is none *)
  category : Category.t;
  name : string;
  arguments : arguments;
}
(** An event as it is in the file. *)

(** {1 Arguments} *)

val int : string -> arguments -> int option
val text : string -> arguments -> string option
val bool : string -> arguments -> bool

val number : Yojson.Safe.t -> float option
(** The argument's value, if it is a number of any kind. *)
