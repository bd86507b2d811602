(** Hash tables.

    A table is up to 64 tables with chained bindings ({!Hash_segment}), chosen by the highest bits of the
    hash. Each of them doubles and halves its buckets on its own: so no operation takes time for the whole of
    a large table, and a batch of operations can work on all of them in parallel. Up to 1024 bindings there is
    only one.

    The user's hash is multiplied by the golden ratio and folded (Knuth, The Art of Computer Programming,
    volume 3, 6.4): any function will do that tells keys apart, the identity on integers included. Where it
    gives many keys the same hash, these keys take time in proportion to their number, and answers stay right.

    {b Cost}, for n bindings: each function is O(1), expected, and amortised where the table changes, unless
    it says otherwise; [iter], [fold] and all of [to_seq] are O(n). {!Make.spread} and {!Make.settle} move at
    most 1,024 bindings. *)

module Make (Key : Hashtbl.HashedType) : sig
  include Maps.MAP with type key = Key.t
  (** Expected O(1) for [mem] and [find_opt]; amortised besides for [add], [remove] and [update]. O(n) for
      [iter], [fold] and all of [to_seq], in no particular order. [hash] is called once per operation, before
      anything else; if it or [equal] raises, so does the operation, and nothing has changed. Growing calls
      neither of them. The function of [update] must not change the table. *)

  val create : unit -> 'v t
  (** An empty table: 20 words. *)

  val of_seq : (key * 'v) Seq.t -> 'v t
  (** The table of these bindings; the last one of a key counts. Amortised O(1) each. *)

  (** {1 For batches}

      Operations on different segments may run at the same time, as long as nobody uses the table itself. *)

  module Segment : module type of Hash_segment.Make (Key)

  val hash : key -> int
  (** The user's hash, mixed. *)

  val mem_hashed : 'v t -> int -> key -> bool
  (** [mem_hashed t (hash k) k] is [mem t k]; the following likewise. *)

  val find_hashed : 'v t -> int -> key -> 'v option
  val add_hashed : 'v t -> int -> key -> 'v -> unit
  val remove_hashed : 'v t -> int -> key -> bool
  val update_hashed : 'v t -> int -> key -> ('v option -> 'v option) -> 'v option

  val segments : 'v t -> int
  (** How many there are: 1 or 64. *)

  val most_in_one : int
  (** How many bindings there may be in a single segment. *)

  val segment_index : 'v t -> int -> int
  (** [segment_index t h] is the number of the segment of keys whose hash is [h]. *)

  val segment : 'v t -> int -> 'v Segment.t
  (** The one with this number. *)

  val segment_of_hash : 'v t -> int -> 'v Segment.t
  (** [segment_of_hash t h] is [segment t (segment_index t h)]. *)

  val spread : 'v t -> unit
  (** Makes 64 segments, if there are not. *)

  val settle : 'v t -> unit
  (** To be called after changes of segments: makes as many of them as there should be. *)

  val longest_chain : 'v t -> int
  (** The most bindings in one bucket: how well the hash spreads these keys. O(n). *)

  val check : 'v t -> unit
  (** Looks whether all that holds between calls does. O(n), with chains as long as expected.
      @raise Failure if not: what is wrong. *)
end
