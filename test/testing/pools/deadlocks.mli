(** Tests of what deadlock detection sees. *)

val detecting : (unit -> 'a) -> 'a
(** [detecting f] is [f ()], with deadlock detection on meanwhile. *)
