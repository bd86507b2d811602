(** Bounded parallel pipelines: {!Weft.pipeline} and {!Weft.Stage}.

    {b Who works.} There is one {e baton}. The fiber that holds it, with a token, asks the producer for the
    next item. It then leaves the baton in its deque, where others can steal it, and carries the item through
    all stages itself. At the end it takes the baton back and goes on, if nobody has stolen it. So on one
    domain items pass one after the other, without suspensions or tasks that wait for their turn, and on
    several the producer moves from domain to domain. This is how oneTBB's [parallel_pipeline] feeds itself
    (McCool, Robison and Reinders, Structured Parallel Programming, 2012, chapter 9).

    {b Tokens.} [free] counts them. A holder of the baton who finds none leaves it at rest there ([free] is
    then -1), and the next item to end picks it up with its token. When the producer has nothing more, the
    baton and its token are given back, and the last token to come back ends the pipeline.

    {b Gates.} An item that must wait for its turn waits at a gate, an atomic word that one item opens,
    perhaps before the other comes, and one other item passes. A serial stage has a chain of gates: an item
    that comes exchanges the chain's last gate for its own, passes the former, and opens its own when it
    leaves (Craig's queue lock, 1993). A stage in order makes the same chain when items are admitted: each
    item knows the gate it passes and the one it opens. No gate knows another, so those passed are garbage.

    {b Failures.} An item that fails notes that in the course first and opens its gates afterwards: an item
    that passes them then sees that there is nothing to do. So an item that is skipped may open gates before
    its turn. *)

(** What happens to the items of a {!Weft.pipeline}. *)
module Stage : sig
  type ('a, 'b) t
  (** One or more stages that make a ['b] of each ['a]. A value of this type holds no state: it may be used in
      several pipelines, at the same time too. *)

  val parallel : ('a -> 'b) -> ('a, 'b) t
  (** [parallel f] calls [f] for any number of items at the same time. O(1), as are the following three;
      {!Weft.pipeline} says what an item costs. *)

  val serial : ('a -> 'b) -> ('a, 'b) t
  (** [serial f] calls [f] for one item at a time, first come, first served. [f] may then use variables of its
      own without locks, also if it suspends. An item that waits costs what it costs to suspend a fiber. *)

  val in_order : ('a -> 'b) -> ('a, 'b) t
  (** [in_order f] calls [f] for one item at a time, in the order in which the items were produced. It costs
      what {!serial} does. *)

  val ( >>> ) : ('a, 'b) t -> ('b, 'c) t -> ('a, 'c) t
  (** [s >>> t] is [s], and then [t] on its result. O(1). *)
end

val run : who:string -> ?tokens:int -> (unit -> 'a option) -> ('a, unit) Stage.t -> unit
(** {!Weft.pipeline}, which says what it costs. *)

val collect : who:string -> ?tokens:int -> (unit -> 'a option) -> ('a, 'b) Stage.t -> 'b list
(** {!Weft.pipeline_to_list}, likewise: what it costs is said there. *)
