(** The calling thread's mask of signals, changed with no handler run.

    [Unix.sigprocmask] and [Thread.sigmask] run the handlers of what is pending after they have changed the
    mask: should one raise, the old mask is lost, and the thread, with all that it starts, keeps the new one
    for good. Here a handler runs before the change or at some safepoint after it. *)

type t
(** A set of signals. *)

val of_list : int list -> t
(** Of OCaml's numbers, as [Sys.sigint], or the system's. *)

val all : t
val without : t -> int list -> t
val mem : int -> t -> bool

val current : unit -> t
(** What the calling thread masks. *)

val block_for_good : t -> unit
(** Masks these signals, too. *)

val set : t -> unit
(** Masks these signals and no others. *)

val while_blocked : t -> (t -> 'a) -> 'a
(** [while_blocked signals f] is [f before] with [signals] masked, too; [before]: what was masked before, and
    is again afterwards, whatever [f] raises. Handlers of signals that are pending run first, and at the end:
    what they raise then comes instead of the result. *)
