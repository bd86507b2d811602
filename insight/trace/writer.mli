(** Writes events into a file. *)

type format = Json | Fuchsia

val formats : (string * format) list

val extension : format -> string
(** [".json"] or [".fxt"]. *)

type t

val create : Weft_files.Whole_file.writing -> format -> ?last:float -> began:int -> pid:int -> unit -> t
(** [create file format ~last ~began ~pid ()] writes the events to [file]. With [last], only the last so many
    seconds before the [last_time] of {!finish} are kept. Meanwhile the events are in two temporary files, in
    the system's folder for them; the older one is removed whenever the younger one covers that time. Without
    [last], events go to [file] at once. So the memory needed does not grow with the length of the trace.

    All functions here raise [Sys_error] if something cannot be written. *)

val event : t -> Event.t -> unit

val flush : t -> unit
(** Writes what is buffered; must be called now and then. *)

val finish : t -> Event.about -> last_time:int -> unit
(** Completes the contents of the file; the caller must call [Whole_file.commit]. *)

val kept : t -> int
(** The number of events in the file so far; with [last], 0 before {!finish}. *)

val abandon : t -> unit
(** Removes temporary files, but not the file itself. *)
