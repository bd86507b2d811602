(** The rings of another process, as the OCaml runtime lays them out in the file [PID.events].

    The tool must be built with the same version of OCaml as the program, since the numbers of the runtime's
    phases differ between versions: otherwise names in {!Event} may be wrong. *)

val path : dir:string -> pid:int -> string

val is_ready : string -> bool
(** Whether the file exists and its head has been written: the runtime makes the file in several steps. *)

val find : dir:string -> own:int -> int option
(** The pid of the process whose rings in the directory are to be read, once they are ready: [own], that of
    the program, if it writes any; else some other process, as for a script that starts the program. *)

val cursor : dir:string -> pid:int -> (Runtime_events.cursor, string) result
(** Opens the rings for a reader of one's own. The error says why it cannot be done: the file is missing, or
    its head does not fit the rest. *)

val read : Runtime_events.cursor -> Runtime_events.Callbacks.t -> most:int -> int
(** Reads the available events, up to about [most], and returns their number: all rings have been read to
    their ends if it is below [most]. Raises [Failure] if the file is damaged. *)

type t

val open_ : ?copied:bool -> dir:string -> pid:int -> Timeline.t -> (t, string) result
(** Opens the rings, which are then read from the oldest remaining event on. Events go to the timeline.
    [copied]: nobody writes any more, and what is missing at the beginning is no loss. *)

val poll : t -> int
(** Reads the available events, up to some thousand, and returns their number. Raises [Failure] if the file is
    damaged: then nothing more can be read. *)

val drain : t -> unit
(** Calls {!poll} until nothing is left, but not for ever if the program writes faster. *)

val has_stopped : t -> bool
(** Whether the program has told that it writes no more events, because it ends. *)

val foreign : t -> string list
(** The names of user events that are not Weft's, or that belong to another version of Weft. *)

val close : t -> unit

(** {1 Copies} *)

type copy = {
  from : int;  (** from here on, no ring has lost an event *)
  until : int;  (** the time of the last event *)
  dumped : (int * Weft_trace.Wire.note) option;  (** the last {!Weft_trace.Wire.Dumped}, and its time *)
}

val survey : dir:string -> pid:int -> (copy, string) result
(** Reads rings into which nobody writes any more. Each reaches back to another time. *)
