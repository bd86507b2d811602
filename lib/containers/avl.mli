(** Maps as AVL trees (Adelson-Velsky and Landis, 1962): the heights of two siblings differ by at most one.

    The tree inside is persistent, as [Stdlib.Map] is: a change makes a new node for each one on the path to
    the key. Its height is at most [1.44 log2 n]. [join] and [split] are those of Blelloch, Ferizovic and Sun,
    Just join for parallel ordered sets (SPAA 2016).

    {b Cost.} [mem], [find_opt], [add], [remove], [update], [succ], [pred], [min_binding_opt] and
    [max_binding_opt] are O(log n); [length], [create] and [snapshot] O(1); [iter], [fold] and the whole of
    [to_seq] O(n). For the trees inside, [join l k v r] is O(the difference of their heights), [join2] and
    [split] are O(log n). If [Key.compare] or the function given to [update] raises, so does the operation,
    and nothing has changed. *)
module Make (Key : Maps.ORDERED) : sig
  module Tree : sig
    include Persistent.TREE with module Key = Key

    val check : 'v t -> unit
    (** For tests. O(n).
        @raise Failure if it is no AVL tree. *)
  end

  include Rooted.S with module Key := Key and module Tree := Tree

  val check : 'v t -> unit
  (** {!Tree.check} of the tree inside. O(n). *)
end
