(** {!Short_loop}, where thieves find nothing: what follows the running stretch is a {!Deferred_rest}. *)

type 'body way = {
  one : 'body -> int -> unit;  (** this index *)
  run : 'body -> int -> int -> unit;  (** these indices in turn *)
  run_rest : 'body -> int -> int -> int;  (** the same as a loop of unknown cost: see {!Loop.block_found} *)
  singly : int;
      (** in stretches of at most so many, the owner can give up each index that it has not begun: so one that
          waits does not hold up the next ones *)
  growth : int;  (** of one stretch to the next *)
}
(** How a function of type ['body] is called. *)

val over : 'body way -> Job.task Deque.t -> Known_cost.t -> int -> 'body -> int -> int -> unit
(** [over way deque known code body start finish], where {!Deferred_rest.may_be_short}. *)
