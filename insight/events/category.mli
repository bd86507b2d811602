(** The categories of events: [cat] in [doc/trace-format.md]. *)

type t =
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

val own : t list
(** Those that [weft trace] writes. *)

val name : t -> string
(** Its name in the file. *)

val of_name : string -> t
(** The category of that name; comma-separated names, as Chrome has them, are one foreign category. *)
