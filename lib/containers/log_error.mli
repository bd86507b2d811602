(** What can be wrong with a log.

    {b Cost.} O(1). *)

exception Damaged of { file : string; offset : int; reason : string }
(** At this offset of the file there is not what was written and synced there; what comes after it is still
    there. *)

val damaged : string -> int -> string -> 'a
(** Raises it. *)
