(** Exchanges of values between all ranks of a world, where each rank may fail to make its value, or to
    marshal it: then all ranks raise, after the exchange (see {!Failures.reraise}).

    An exchange is not cancellable: the other ranks count on it. The functions that make the values are. *)

val all_gather : World.t -> (unit -> 'a) -> 'a array
(** [all_gather w f] is what [f ()] is on each rank, in their order. *)

val all_to_all : World.t -> (unit -> 'a array) -> 'a array
(** [all_to_all w f]: element [i] of [f ()] goes to rank [i]. *)

val broadcast : World.t -> root:int -> (unit -> 'a) -> 'a
(** [broadcast w ~root f] is what [f ()] is on rank [root]; the others do not call [f]. *)
