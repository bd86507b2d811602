(** What a fiber runs in, and whether that is cancelled. *)

exception Cancelled of string
(** See [Weft.Cancel.Cancelled]. *)

exception Timeout
(** See [Weft.Cancel.Timeout]. *)

type owner
(** Who holds a lock: a fiber, wherever it goes, or a thread that is no worker. Physically comparable. *)

val owner : unit -> owner
(** The caller's. A few nanoseconds. *)
