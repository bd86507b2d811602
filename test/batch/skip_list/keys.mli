(** Integers whose comparison counts, and raises when told to. *)

type t = int

exception Planned

val compare : int -> int -> int

val raising_at : ?ever:bool -> int -> (unit -> 'a) -> 'a
(** [raising_at k f] is [f ()], in which the comparison number [k], from 0, raises {!Planned}; with [ever],
    all later ones raise too. *)

val raising_on : int -> (unit -> 'a) -> 'a
(** [raising_on key f] is [f ()], in which all comparisons with [key] raise. *)

val counted : (unit -> unit) -> int
(** How many comparisons there were. *)
