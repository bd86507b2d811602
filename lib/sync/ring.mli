(** A queue in an array that grows: the messages in a channel.

    Not safe by itself: used under the channel's lock. Elements are options, since the channel's callers have
    them already; the ring does not keep alive what has left it. *)

type 'a t

val create : unit -> 'a t
(** An empty ring. It takes no room until something is put in. *)

val length : 'a t -> int
(** May be asked without the lock: then it is the length of some moment. *)

val make_room : 'a t -> unit
(** Has room for one more. *)

val add : 'a t -> 'a option -> unit
(** Puts an element, not [None], at the end. There must be room. *)

val add_first : 'a t -> 'a option -> unit
(** Puts an element, not [None], at the front. There must be room. *)

val first : 'a t -> 'a option
(** The oldest element, which stays; [None] if there is none. *)

val drop : 'a t -> unit
(** Takes out the oldest element of a ring that is not empty. An array that was large is given up when nothing
    is left in it. *)
