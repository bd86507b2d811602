(** Latches: a count that goes down to zero, and then lets everybody pass for ever.

    To wait until a number of things have happened. Fibers of any pool, other threads and other domains may
    use the same latch.

    {b Cost.} Each function is O(1), {!count_down} one compare-and-set; the call that opens the latch takes
    O(those that wait). *)

type t

val create : int -> t
(** [create n] is a latch with the count [n]; if that is 0, it is open.
    @raise Invalid_argument if [n < 0]. *)

val count_down : ?by:int -> t -> unit
(** [count_down l] takes 1, or [by], off the count of [l]. When it comes to 0, [l] is open for good, and all
    that {!wait} are resumed, first come, first served. Never suspends. May be called by signal handlers too.
    What was done before a call of [count_down] is seen by everybody who has passed.
    @raise Invalid_argument if [by < 0], or if the count would go below 0; it then stays as it is. *)

val wait : ?timeout:float -> t -> unit
(** [wait l] returns once [l] is open. It suspends the calling fiber, or holds up the calling thread, if [l]
    is not; if it is, it costs a few nanoseconds.
    @raise Weft.Cancel.Timeout if [l] is not open after [timeout] seconds.
    @raise Weft.Cancel.Cancelled if the calling fiber is cancelled while it waits. Neither changes the count.
*)

val count : t -> int
(** [count l] is what is left of the count of [l]; 0 if it is open. *)

(**/**)

(** Not for users: how {!Weft.Select} waits. *)
module Private : sig
  val opened : t -> unit Write_once.t
  (** Filled when the count comes to 0, if it was more before. *)
end
