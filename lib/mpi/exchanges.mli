(** Exchanges of values between all ranks of a world, where each rank may fail to make its value, or to
    marshal it: then all ranks raise, after the exchange (see {!Failures.reraise}). A value that only the rank
    itself gets is not marshalled.

    An exchange is not cancellable: the other ranks count on it. The functions that make the values are. *)

val all_gather : World.t -> (unit -> 'a) -> 'a array
(** [all_gather w f] is what [f ()] is on each rank, in their order. *)

val all_to_all : World.t -> (unit -> 'a array) -> 'a array
(** [all_to_all w f]: element [i] of [f ()] goes to rank [i]. *)

val broadcast : World.t -> root:int -> (unit -> 'a) -> 'a
(** [broadcast w ~root f] is what [f ()] is on rank [root]; the others do not call [f]. *)

val together : World.t -> (unit -> 'a) -> 'a
(** [together w f] is [f ()], which each rank computes for itself; if it raises on one of them, all raise once
    all have ended. One all-reduce of three integers beside [f]. In [f], the functions below may be called. A
    cancellation is noticed by [f] alone. *)

(** {1 Inside [together]}

    If these raise on one rank, others may return. *)

val gather : World.t -> root:int -> (unit -> 'a) -> 'a array option
(** [gather w ~root f] is what [f ()] is on each rank, in their order, on rank [root]; [None] elsewhere. *)

val swap : World.t -> int list -> (unit -> 'a list) -> 'a list
(** [swap w ranks f]: each element of [f ()] goes to the rank at its place in [ranks], and what these ranks
    send comes back in the same order ({!Values.swap_data}). *)
