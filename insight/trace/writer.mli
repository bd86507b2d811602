(** Events on their way into a file. *)

type format = Json | Fuchsia

val formats : (string * format) list

val extension : format -> string
(** [".json"] or [".fxt"]. *)

type t

val create : Weft_files.Whole_file.writing -> format -> ?last:float -> began:int -> pid:int -> unit -> t
(** [create file format ~last ~began ~pid ()]: only the [last] seconds are kept, those before the [last_time]
    of {!finish}: meanwhile, events lie in temporary files beside the system's others, of which the older one
    is thrown away whenever the younger one covers that time. Without [last], events go to [file] at once. So
    the memory that is needed does not grow with the length of the trace.

    All of these raise [Sys_error] if something cannot be written. *)

val event : t -> Event.t -> unit

val flush : t -> unit
(** To be called now and then. *)

val finish : t -> Event.about -> last_time:int -> unit
(** All that belongs into the file is in it; [Whole_file.commit] is left to the caller. *)

val kept : t -> int
(** How many events have got into the file so far: with [last], none before {!finish}. *)

val abandon : t -> unit
(** Removes what is temporary, but for the file itself. *)
