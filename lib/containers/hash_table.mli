(** Hash tables.

    A table consists of one segment or of 64, each a table with chained bindings ({!Hash_segment}); the
    highest bits of the hash choose the segment. Each segment doubles and halves its buckets on its own. So no
    operation takes time for the whole of a large table, and a batch of operations can work on all segments in
    parallel. A table has one segment until it exceeds 1024 bindings.

    The user's hash is multiplied by the golden ratio and folded (Knuth, The Art of Computer Programming,
    volume 3, 6.4), so any function that tells keys apart will do, including the identity on integers. If it
    gives many keys the same hash, operations on these keys take time in proportion to their number; answers
    stay right.

    {b Cost}, for n bindings: each function is O(1), expected, and amortised where the table changes, unless
    it says otherwise; [iter], [fold] and all of [to_seq] are O(n). {!Make.spread} and {!Make.settle} move at
    most 1,024 bindings. *)

module Make (Key : Hashtbl.HashedType) : sig
  include Maps.MAP with type key = Key.t
  (** Expected O(1) for [mem] and [find_opt], expected and amortised O(1) for [add], [remove] and [update].
      O(n) for [iter], [fold] and all of [to_seq], in no particular order. Each operation calls [hash] once,
      before anything else; if [hash] or [equal] raises, so does the operation, and nothing has changed.
      Growing calls neither of them. The function given to [update] must not change the table. *)

  val create : unit -> 'v t
  (** An empty table. It takes 20 words. *)

  val of_seq : (key * 'v) Seq.t -> 'v t
  (** The table of these bindings; if a key occurs more than once, its last binding counts. Amortised O(1) for
      each. *)

  (** {1 For batches}

      Operations on different segments may run at the same time, as long as nobody uses the table itself. *)

  module Segment : module type of Hash_segment.Make (Key)

  val hash : key -> int
  (** The user's hash, mixed. *)

  val mem_hashed : 'v t -> int -> key -> bool
  (** [mem_hashed t (hash k) k] is [mem t k]. The functions that follow take the hash likewise. *)

  val find_hashed : 'v t -> int -> key -> 'v option
  val add_hashed : 'v t -> int -> key -> 'v -> unit
  val remove_hashed : 'v t -> int -> key -> bool
  val update_hashed : 'v t -> int -> key -> ('v option -> 'v option) -> 'v option

  val segments : 'v t -> int
  (** How many segments there are: 1 or 64. *)

  val most_in_one : int
  (** The most bindings that a table with a single segment may have. *)

  val segment_index : 'v t -> int -> int
  (** [segment_index t h] is the number of the segment of keys whose hash is [h]. *)

  val segment : 'v t -> int -> 'v Segment.t
  (** The segment with this number. *)

  val segment_of_hash : 'v t -> int -> 'v Segment.t
  (** [segment_of_hash t h] is [segment t (segment_index t h)]. *)

  val spread : 'v t -> unit
  (** Makes 64 segments if there is one. *)

  val settle : 'v t -> unit
  (** Makes as many segments as there should be. Must be called after changes of segments. *)

  val longest_chain : 'v t -> int
  (** The most bindings in one bucket: how well the hash spreads these keys. O(n). *)

  val check : 'v t -> unit
  (** For tests: checks what must hold between calls. O(n), if chains are as long as expected.
      @raise Failure with what is wrong, if anything is. *)
end
