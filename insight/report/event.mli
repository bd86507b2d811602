(** What a trace is made of: [doc/trace-format.md] says what [weft trace] writes. *)

type arguments = (string * Yojson.Safe.t) list

type phase =
  | Begin
  | End
  | Complete of int  (** its duration, ns *)
  | Instant
  | Async_begin
  | Async_end
  | Sample  (** of a counter *)
  | Metadata
  | Ignored  (** what Chrome has beyond that *)

type raw = {
  phase : phase;
  time : int;  (** ns *)
  pid : string;
  tid : string;  (** both are numbers with [weft trace]; others may have names *)
  id : string;  (** empty if there is none *)
  category : Category.t;
  name : string;
  arguments : arguments;
}
(** An event as the file has it. *)

(** {1 Arguments} *)

val int : string -> arguments -> int option
val text : string -> arguments -> string option
val bool : string -> arguments -> bool

val number : Yojson.Safe.t -> float option
(** Of any kind of number. *)
