(** Batches of operations on a skip list.

    The batch is sorted by key, stably, and divided into runs. Then, in three steps, each on all runs in
    parallel:

    + {e search}: for each key of a run, one after another, a finger finds the key and the blocks before and
      after it on the levels where it may come or go. All comparisons happen here, or in the sort, and nothing
      is changed.
    + {e decide}: for each key, its operations are done in the order of arrival on what it is bound to. The
      functions of [Update] are called here; one that raises fails its operation.
    + {e link}: blocks are made, linked and unlinked: see {!Skip_seams}. No code of the client's.

    At last the operations that are not about one key (succ, pred, min, max, length) are answered, in
    parallel: they see all others done.

    If a comparison raises in the sort or the search, the operations are applied one by one, in the order of
    arrival; so only those fail that raise when applied alone. [Sys.Break], [Out_of_memory] and
    [Stack_overflow] are taken for no comparison's: they end the batch, of which nothing takes effect if they
    come in the sort or the search. *)

module Make (Key : Weft_containers.Maps.ORDERED) : sig
  module Sequential : Weft_containers.Skip_list.S with type key = Key.t

  module Op : module type of struct
    include Map_op.Make (Key)
  end

  include Structures.GENERIC with type 'v t = 'v Sequential.t and type ('v, 'a) op = ('v, 'a) Op.t

  val run_batch : 'v t -> 'v packed array -> unit
  (** What is in [run]. *)
end
