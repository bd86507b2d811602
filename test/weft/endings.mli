(** Helpers for tests of how cancelled calls end. *)

val times_out : string -> (unit -> 'a) -> unit
(** Checks that a call raises [Cancel.Timeout]. *)

val is_cancelled : string -> string -> (unit -> 'a) -> unit
(** [is_cancelled what reason f] checks that [f ()] raises [Cancel.Cancelled reason]. *)

val fails_with : string -> exn -> (unit -> 'a) -> unit

val returns : string -> (unit -> 'a) -> 'a
(** [returns what f] is [f ()]. If it hangs, the watchdog's report names [what]. *)

val long : float
(** An hour, longer than the watchdog waits: whoever waits for a task that sleeps so long hangs. *)

val sleep_long : unit -> unit

(** {1 Who is inside} *)

type inside
(** Counts the calls that have begun and not ended. *)

val inside : unit -> inside

val visit : inside -> (unit -> 'a) -> 'a
(** [visit i f] is [f ()], counted; it ends by a finaliser. *)

val visits : inside -> int
(** How many calls have begun. *)

val nobody_inside : string -> inside -> unit
(** Checks that all have ended. *)

val in_threads : int -> (int -> unit) -> unit
(** [in_threads n f] calls [f 0], ..., [f (n - 1)] in a new thread each, waits for all, and raises an
    exception that one of them has raised, if any. *)

val planned : int -> unit -> 'a
(** [planned n ()] raises [Support.Planned n]. *)

val numbers : (exn * Printexc.raw_backtrace) list -> int list
(** The numbers of failures that are all {!planned}. *)

val check_numbers : string -> int list -> Weft.Scope.t -> unit
(** [check_numbers what expected s] checks the {!numbers} of the failures of [s]. *)
