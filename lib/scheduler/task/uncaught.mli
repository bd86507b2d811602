(** Exceptions that nobody asked for: each is reported once, none is lost.

    Finalisers call this, too, and may interrupt any code, so there is no lock here. *)

type id = int

type origin =
  | Task_of of string  (** a task of the pool of this name *)
  | Other of string  (** said in front of it, where Weft's own handler prints it *)

val add : origin -> exn -> Printexc.raw_backtrace -> id
(** Notes an exception that nobody has asked for yet. *)

val forget : id -> unit
(** Somebody asked. *)

val report : id -> unit
(** Nobody will ever ask: passes it to the handler, unless it is forgotten or reported already. *)

val report_pool : string -> unit
(** Reports all that are noted for that pool. *)

val report_all : unit -> unit
(** Reports all; at exit. *)

val guard : string -> (unit -> unit) -> unit
(** [guard what f] is [f ()]; an exception is printed, as one that [what] has raised. No handler around the
    caller gets the effects of [f]. *)

val code_at_exit : unit -> int
(** After {!report_all}: the code of {!exit_on_uncaught}, if {!print} has been called; else 0. *)

val exit_on_uncaught : int -> unit
(** Documented in [Weft]. *)

val print : exn -> Printexc.raw_backtrace -> unit
(** The handler at first. *)

val current_handler : unit -> exn -> Printexc.raw_backtrace -> unit
val set_handler : (exn -> Printexc.raw_backtrace -> unit) -> unit
val set_suppressed_handler : (exn -> Printexc.raw_backtrace -> unit) -> unit

val suppressed : exn -> Printexc.raw_backtrace -> unit
(** Passes an exception that lost against one further left to the other handler; not {!Stopped}. *)

exception Stopped
(** Ends a task that is no longer wanted because of something that is noted elsewhere. Never leaves the
    library. *)
