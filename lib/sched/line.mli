(** Lines of those who wait: first come, first served, and whoever gives up leaves from anywhere in O(1).

    A doubly linked ring. Not safe by itself: under the lock of what it belongs to. No operation but {!add}
    allocates, and none calls anything, so a signal's exception finds it as it was before or after. *)

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
