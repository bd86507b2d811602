(** What a trace is made of: [doc/trace-format.md] says what [weft trace] writes. *)

type category =
  | Job
  | Steal
  | Search
  | Park
  | Worker
  | Suspend
  | Lock
  | Channel
  | Loop
  | Batch
  | Blocking
  | Cancel
  | Region
  | Gc
  | Counter
  | Machine
  | Trace
  | Foreign of string  (** of another program's trace *)

val category : string -> category
(** The category of that name; comma-separated names, as Chrome has them, are one foreign category. *)

val category_name : category -> string
(** Its name in the file. *)

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
  pid : int;
  tid : string;  (** a number with [weft trace]; others may have names *)
  id : string;  (** empty if there is none *)
  category : category;
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
