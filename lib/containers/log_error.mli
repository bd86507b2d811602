(** The exception for a damaged log.

    {b Cost.} O(1). *)

exception Damaged of { file : string; offset : int; reason : string }
(** At this offset, the file does not have what was written and synced there; what comes after it is still
    there. *)

val damaged : string -> int -> string -> 'a
(** Raises {!Damaged}. *)
