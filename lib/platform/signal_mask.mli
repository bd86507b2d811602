(** The calling thread's mask of signals, changed without running handlers.

    [Unix.sigprocmask] and [Thread.sigmask] run the handlers of pending signals after they have changed the
    mask: if one raises, the old mask is lost, and the thread, with all that it starts, keeps the new one for
    good. Here a handler runs before the change, or at some safepoint after it. *)

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
(** [while_blocked signals f] is [f before] with [signals] masked, too; [before] is the mask before, which is
    restored afterwards, whatever [f] raises. Handlers of pending signals run first, and at the end: an
    exception of theirs then comes instead of the result. *)
