(** Batches of operations on a skip list.

    The batch is sorted by key, stably, and divided into runs. Then come three steps, each on all runs in
    parallel:

    + {e search}: for each key of a run, one after another, a finger finds the key and the blocks before and
      after it on the levels where it may be added or removed. All comparisons happen here, or in the sort,
      and nothing is changed.
    + {e decide}: for each key, its operations are applied, in the order of arrival, to its binding. The
      functions of [Update] are called here; if one raises, its operation fails.
    + {e link}: blocks are made, linked and unlinked: see {!Skip_seams}. No client code runs here.

    At last the operations that are not on one key (succ, pred, min, max, length) are answered, in parallel:
    they see the effects of all others.

    If a comparison raises in the sort or the search, the operations are applied one by one, in the order of
    arrival; so only those fail that raise when applied alone. [Sys.Break], [Out_of_memory] and
    [Stack_overflow] do not count as exceptions of comparisons: they end the batch; if they are raised in the
    sort or the search, the batch has no effect. *)

module Make (Key : Weft_containers.Maps.ORDERED) : sig
  module Sequential : Weft_containers.Skip_list.S with type key = Key.t

  module Op : module type of struct
    include Map_op.Make (Key)
  end

  include Structures.GENERIC with type 'v t = 'v Sequential.t and type ('v, 'a) op = ('v, 'a) Op.t

  val run_batch : 'v t -> 'v packed array -> unit
  (** The function in [run]. *)

  val rank : 'v packed -> int
  (** For [create]: 1 for operations that are applied after the others of a batch, else 0. *)
end
