(** Searches that should be over before anybody could help: {!Short_loop}, for searches.

    They look at one index, then at sixteen, then at 64 at a time, without a clock. *)

val first :
  Job.task Deque.t ->
  alone:bool ->
  Known_cost.t ->
  int ->
  look:(int -> int -> 'a option) ->
  by_loop:(int -> 'a option) ->
  int ->
  int ->
  'a option
(** [first deque ~alone known code ~look ~by_loop start finish] is the first answer of [look], or exception,
    in order. [by_loop i] searches from [i] to [finish]. *)

val any :
  Job.task Deque.t ->
  alone:bool ->
  Known_cost.t ->
  int ->
  look:(int -> int -> 'a option) ->
  by_loop:(Early_exit.t -> int -> 'a option) ->
  int ->
  int ->
  'a option
(** [any deque ~alone known code ~look ~by_loop start finish] is an answer of [look], if there is one.
    [by_loop exit i] searches from [i] to [finish], unless [exit] is stopped. It also runs in a fork, when the
    fiber is suspended ({!Weft_scheduler.Loops}). *)

val learning : Known_cost.t -> int -> start:int -> finish:int -> (unit -> 'a option) -> 'a option
(** [learning known code ~start ~finish search] is [search ()]. If a short search finds nothing, the time that
    it took is kept in [known]. *)

val deferred :
  Job.task Deque.t ->
  Known_cost.t ->
  int ->
  in_order:bool ->
  look:(int -> int -> 'a option) ->
  by_loop:(int -> 'a option) ->
  int ->
  int ->
  'a option
(** {!first}, or without [in_order] an answer of any index, where thieves find nothing: see {!Deferred_rest}.
*)
