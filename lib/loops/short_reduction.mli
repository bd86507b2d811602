(** Reductions that should be over before anybody could help: {!Short_loop} for the trees of {!Reduce}.

    The fiber walks through the tree without clocks and forks. Where its worker is preempted, or thieves have
    emptied the deque, and when the fiber is suspended, the rest becomes a {!Reduction_tree.walk}. *)

val run :
  Job.task Deque.t ->
  alone:bool ->
  Known_cost.t ->
  int ->
  leaf:int ->
  start:int ->
  finish:int ->
  element:(int -> 'a) option ->
  fold:(int -> int -> 'a) ->
  ('a -> 'a -> 'a) ->
  'a
(** [run deque ~alone known code] is {!Reduce.reduce} for a range of which {!Short_loop.is_short} is true, or
    that the caller has claimed of a {!Deferred_rest}. *)

val leaf : Job.task Deque.t -> (int -> 'a) -> ('a -> 'a -> 'a) -> int -> int -> 'a
(** [leaf deque element combine first last] combines these elements in turn. When the worker is preempted, the
    others spread. *)
