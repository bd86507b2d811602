(** Bounded parallel pipelines: {!Weft.pipeline} and {!Weft.Stage}.

    {b Who works.} There is one {e baton}, the right to produce. The fiber that holds it, with a token, asks
    the producer for the next item. It then pushes the baton, as a job, onto its deque, where others can steal
    it, and carries the item through all stages itself. At the end it takes the baton back and goes on, if
    nobody has stolen it. So on one domain items pass one after the other, without suspensions or tasks that
    wait for their turn, and on several the producer moves from domain to domain. oneTBB's [parallel_pipeline]
    works in the same way (McCool, Robison and Reinders, Structured Parallel Programming, 2012, chapter 9).

    {b Short items.} To move the baton, and to suspend an item that has to wait for its turn, costs about a
    microsecond. Where it is faster to keep the baton ({!Weft_loops.Baton_policy}), thieves leave it alone for
    a while ({!Weft_loops.Deferred_rest.async}). And before it produces, the holder waits for some ten
    microseconds until the items ahead have left the serial stages. Then all items pass on one domain, in
    turn. If an item takes long, or holds its domain until another one comes, a thief takes the baton all the
    same.

    {b Tokens.} [free] counts the free ones. If the holder of the baton finds none, the baton is at rest
    ([free] is then -1), and the next item that ends takes it, with its own token. When the producer has
    nothing more, its token is given back, and the last token to come back ends the pipeline.

    {b Gates.} An item that must wait for its turn waits at a gate: an atomic word that one item opens and one
    other item passes; it may be opened before the other item comes. A serial stage has a chain of gates: an
    item that comes replaces the chain's last gate by its own, passes the former one, and opens its own when
    it leaves (Craig's queue lock, 1993). For a stage in order the chain is made when items are admitted: each
    item has the gate that it passes and the one that it opens. Gates do not refer to each other, so gates
    that have been passed are garbage.

    {b Failures.} An item that fails first notes that in the [Early_exit] and then opens its gates: so an item
    that passes them sees that it must stop. Hence an item that is skipped may open gates before its turn. *)

(** What happens to the items of a {!Weft.pipeline}. *)
module Stage : sig
  type ('a, 'b) t
  (** One or more stages that make a ['b] of each ['a]. A value of this type holds no state: it may be used in
      several pipelines, at the same time too. *)

  val parallel : ('a -> 'b) -> ('a, 'b) t
  (** [parallel f] calls [f] for any number of items at the same time. O(1), as are the following three;
      {!Weft.pipeline} says what an item costs. *)

  val serial : ('a -> 'b) -> ('a, 'b) t
  (** [serial f] calls [f] for one item at a time, first come, first served. So [f] may use variables of its
      own without locks, even if it suspends. An item that waits suspends its fiber, and costs as much as
      that. *)

  val in_order : ('a -> 'b) -> ('a, 'b) t
  (** [in_order f] calls [f] for one item at a time, in the order in which the items were produced. It costs
      as much as {!serial}. *)

  val ( >>> ) : ('a, 'b) t -> ('b, 'c) t -> ('a, 'c) t
  (** [s >>> t] is [s], and then [t] on its result. O(1). *)
end

val run : who:string -> ?tokens:int -> (unit -> 'a option) -> ('a, unit) Stage.t -> unit
(** {!Weft.pipeline}, which says what it costs. *)

val collect : who:string -> ?tokens:int -> (unit -> 'a option) -> ('a, 'b) Stage.t -> 'b list
(** {!Weft.pipeline_to_list}, which says what it costs. *)
