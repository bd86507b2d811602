(** What a fiber runs in, and whether that is cancelled. *)

exception Cancelled of string
(** See [Weft.Cancel.Cancelled]. *)

exception Timeout
(** See [Weft.Cancel.Timeout]. *)
