(** The rings of another process, as the OCaml runtime lays them out in the file [PID.events].

    The tool must be built with the version of OCaml that the program is, since the numbers of the runtime's
    phases differ from one to the next: {!Event} names may be wrong otherwise. *)

val path : dir:string -> pid:int -> string

val is_ready : string -> bool
(** Whether the file is there and its head has been written: the runtime makes it step by step. *)

val find : dir:string -> int option
(** The pid of some file of rings in the directory. *)

type t

val open_ : dir:string -> pid:int -> Timeline.t -> (t, string) result
(** To be read from the oldest event on that is still there. What is read goes to the timeline. *)

val poll : t -> int
(** Reads what there is, up to some thousand events; so many. Raises [Failure] if the file is damaged: there
    is nothing more to be read then. *)

val drain : t -> unit
(** {!poll} until there is nothing left, but not for ever if somebody writes faster. *)

val has_stopped : t -> bool
(** The program has said that it writes no more: it ends. *)

val foreign : t -> string list
(** Names of user events that were not Weft's, or another version's. *)

val close : t -> unit
