(** Lines of those who wait: first come, first served, and whoever gives up leaves from anywhere in O(1).

    {b The rule of every line.} Who stands in line may have found another way meanwhile: given up, timed out,
    won elsewhere, been claimed by somebody else. So a wake-up says whether it is used ({!Waiter.wake} is
    [false], a job is claimed already), and {e one that is not goes to the next in line}, by whoever wakes,
    before that one is done. Who was woken and then cannot use it ends the same way: it wakes the next.
    {!Weft_sync.Queued_lock}, {!Weft_sync.Channel} and {!Limit} keep to it; it need not be kept where all are
    woken (promises, {!Weft_sync.Write_once}, broadcasts), or where nobody but the owner takes anything out
    (timers).

    A doubly linked ring. Not safe by itself: under the lock of what it belongs to. *)

type 'a t
type 'a place

val create : unit -> 'a t
val is_empty : 'a t -> bool

val place : 'a -> 'a place
(** A place in no line yet. *)

val add : 'a t -> 'a place -> unit
(** Puts a place that is in no line at the end. *)

val add_first : 'a t -> 'a place -> unit
(** Puts a place that is in no line at the front. *)

val remove : 'a place -> unit
(** Takes a place out of its line; nothing, if it is in none. *)

val is_in_line : 'a place -> bool

val first : 'a t -> 'a place option
(** The place in front, which stays. *)

val contents : 'a place -> 'a
(** What was given to {!type-place}. *)

val take : 'a t -> 'a option
(** Takes the first place out of the line. *)

val length : 'a t -> int
(** O(n). *)

val to_list : 'a t -> 'a list
(** What is in line, in order. *)
