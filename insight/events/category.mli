(** The categories of events: [cat] in [doc/trace-format.md]. *)

type t =
  | Job
  | Steal
  | Search
  | Park
  | Wake
  | Worker
  | Suspend
  | Lock
  | Channel
  | Loop
  | Batch
  | Blocking
  | Blocked
  | Cancel
  | Region
  | Gc
  | Counter
  | Machine
  | Trace
  | Foreign of string  (** a category of another program's trace *)

val own : t list
(** The categories that [weft trace] writes. *)

val name : t -> string
(** The name of the category in the file. *)

val of_name : string -> t
(** The category with that name. Comma-separated names, which Chrome allows, are one foreign category. *)

val no_processor : string
(** The name of the spans of the category {!Blocked} in which a thread waited for a processor. *)
