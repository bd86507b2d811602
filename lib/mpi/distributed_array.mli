(** Arrays whose elements are spread over the ranks of a world: each rank has a part, so more ranks have room
    for more elements. The part is a plain OCaml array ({!local}), for Weft's own loops.

    {[
      module D = Weft_mpi.Distributed_array

      (* 100 steps of heat in a rod, whose ends are kept at 1 and at 0. *)
      let step u =
        let boundary = D.Outside (fun i -> if i < 0 then 1. else 0.) in
        D.stencil ~width:1 boundary
          (fun c i -> c.(i) +. (0.25 *. (c.(i - 1) -. (2. *. c.(i)) +. c.(i + 1))))
          u

      let () =
        Weft_mpi.run (fun world ->
            let u = ref (D.make world 1_000_000 0.) in
            for _ = 1 to 100 do
              u := step !u
            done;
            let heat = D.reduce ( +. ) 0. !u in
            if Weft_mpi.rank world = 0 then Printf.printf "%g\n" heat)
    ]}

    {b Indices} are global, from 0, unless a function says otherwise. Elements of two dimensions are rows: an
    array of [float array].

    {b Collective functions.} As in {!Weft_mpi}, all ranks of the world call the functions below with the same
    arguments in the same order, and none inside another one, except those of {!section-each}. Loops run each
    iteration on the rank that has its element, in parallel on the domains of that rank. No result depends on
    the number of ranks or domains, nor on the distribution; sums of floats have the same bits.

    {b Moving} an element to another rank marshals it: it must not contain functions, and what arrives is a
    copy. Elements that stay on their rank are neither marshalled nor copied.

    {b Exceptions.} If a rank fails, all raise, when the others have finished their parts: that rank the
    exception itself, the others {!Weft_mpi.Elsewhere}. If several fail, the exception is that of the lowest
    rank. A cancellation of the calling fiber is noticed in loops and before exchanges, and then is such a
    failure; an exchange that has begun runs to its end.

    {b Cost} of communication: {!init}, {!gather} and the loops take one all-reduce of three integers, which
    tells whether a rank has failed; functions that send elements say what they send. On one rank nothing is
    sent. *)

type world = World.t
(** {!Weft_mpi.world}. *)

type distribution = Distribution.t =
  | Block
      (** Each rank has one block of neighbours, in the order of the ranks. Their lengths differ by at most 1.
      *)
  | Cyclic  (** Rank [r] of [p] has the elements [r], [r + p], [r + 2 * p] and so on. *)
  | Block_cyclic of int
      (** Blocks of so many elements are dealt to the ranks in turn; the last one may be shorter. *)

type 'a t

(** {1 Making arrays}

    The distribution is [Block] unless given. All raise [Invalid_argument] for [Block_cyclic n] with [n < 1].
*)

val make : ?distribution:distribution -> world -> int -> 'a -> 'a t
(** [make world n v] is an array of [n] elements [v]: on each rank the same value, not copied for each
    element. Nothing is sent.
    @raise Invalid_argument if [n] is negative. *)

val init : ?distribution:distribution -> world -> int -> (int -> 'a) -> 'a t
(** [init world n f] is the array of [f 0], ..., [f (n - 1)], each computed on the rank that will have it.
    @raise Invalid_argument if [n] is negative. *)

val of_array : ?distribution:distribution -> world -> 'a array -> 'a t
(** [of_array world a] has the elements of [a], which all ranks give alike; each keeps its part. Nothing is
    sent. *)

(** {1:each What each rank does for itself}

    These wait for nobody, and may be called anywhere, by one rank alone and in the functions that loops call.
    O(1). *)

val length : 'a t -> int
(** [length a] is the number of elements on all ranks together. *)

val world : 'a t -> world
(** [world a] is the world in which [a] was made. *)

val distribution : 'a t -> distribution
(** [distribution a] says which rank has which elements. *)

val local : 'a t -> 'a array
(** [local a] is the part of the calling rank: the array itself, not a copy. What is written to it is written
    to [a]. Its elements are in the order of their indices in [a]. *)

val global_index : 'a t -> int -> int
(** [global_index a j] is the index in [a] of [(local a).(j)].
    @raise Invalid_argument unless [0 <= j < Array.length (local a)]. *)

val owner : 'a t -> int -> int
(** [owner a i] is the rank that has element [i].
    @raise Invalid_argument unless [0 <= i < length a]. *)

val is_local : 'a t -> int -> bool
(** [is_local a i] is whether the calling rank has element [i].
    @raise Invalid_argument unless [0 <= i < length a]. *)

val get : 'a t -> int -> 'a
(** [get a i] is element [i], which must be on the calling rank.
    @raise Invalid_argument if there is no such element, or if another rank has it. *)

val set : 'a t -> int -> 'a -> unit
(** [set a i v] replaces element [i], which must be on the calling rank.
    @raise Invalid_argument as {!get}. *)

(** {1 Loops} *)

val map : ('a -> 'b) -> 'a t -> 'b t
(** [map f a] is the array of the [f x] for the elements [x] of [a], in the distribution of [a]. *)

val mapi : (int -> 'a -> 'b) -> 'a t -> 'b t
(** [mapi f a] is {!map}, where [f] is given the index, too. *)

val map2 : ('a -> 'b -> 'c) -> 'a t -> 'b t -> 'c t
(** [map2 f a b] is the array of the [f x y] for the elements of [a] and [b] with the same index.
    @raise Invalid_argument
      if [a] and [b] have different lengths or distributions, or were made in different worlds. *)

val iteri : (int -> 'a -> unit) -> 'a t -> unit
(** [iteri f a] calls [f i x] for each element [x] and its index, and returns when all calls have ended on all
    ranks. *)

(** {1 Reductions} *)

val reduce : ('a -> 'a -> 'a) -> 'a -> 'a t -> 'a
(** [reduce f init a] is, on all ranks and to the bit, [Weft.Array.reduce f init] of the whole array: the tree
    depends on the length alone. Each rank combines the subtrees of which it has all elements, and sends these
    values to all, O(log n) of them, with the elements of the leaves that it shares with others, up to 126. So
    each rank gets O(ranks * log n) values, combines them, and takes one all-reduce of three integers more.

    With [Cyclic] and [Block_cyclic], {!redistribute} to [Block] comes first: nearly all elements are sent. *)

val map_reduce : ('a -> 'b) -> ('b -> 'b -> 'b) -> 'b -> 'a t -> 'b
(** [map_reduce f combine init a] is [reduce combine init (map f a)]. *)

(** {1 Moving} *)

val to_array : 'a t -> 'a array
(** [to_array a] is, on every rank, a plain array of all elements. Each rank sends its part to all, and gets
    those of all: O(n). *)

val gather : ?root:int -> 'a t -> 'a array option
(** [gather a] is [Some (to_array a)] on rank [root] (default 0), and [None] on the others. Each rank sends
    its part to [root], which gets O(n).
    @raise Invalid_argument if there is no such rank. *)

val redistribute : distribution -> 'a t -> 'a t
(** [redistribute d a] has the elements of [a] in the distribution [d]. Each rank sends each element that it
    will not keep to the one that will have it, those for a rank together, and gets its new part: O(n / ranks
    + ranks).

    @raise Invalid_argument for [Block_cyclic n] with [n < 1]. *)

val sort : ('a -> 'a -> int) -> 'a t -> 'a t
(** [sort compare a] has the elements of [a] in increasing order, equal ones in the order in which they were,
    in a [Block] distribution. If [a] has another one, {!redistribute} to [Block] comes first.

    A sample sort: each rank sorts its block, and sends 8 * ranks of its elements to all, a sample, from which
    they compute the same bounds, one range for each rank. It sends each element to the rank of its range,
    sorts what it gets, and {!redistribute}s that to blocks of equal length. So each element is sent twice, or
    three times; each rank gets the sample, O(ranks * ranks) elements, and the lengths of all parts. Between
    the steps a rank has O(n / ranks) other elements unless many are equal: equal elements go to one rank. *)

(** {1 Stencils}

    For programs that compute an element from its neighbours. The distribution must be [Block]. *)

(** What lies beyond both ends of the array. *)
type 'a boundary = 'a Halo.boundary =
  | Periodic  (** the array again: behind the last element comes the first *)
  | Nearest  (** the first or the last element: no flow through the ends *)
  | Outside of (int -> 'a)
      (** [Outside f]: [f i] at each index [i] outside of the array, below 0 or from {!length} on, for values
          that are given there. [f] is called on the ranks whose halo has that index. *)

val with_halo : width:int -> 'a boundary -> 'a t -> 'a array
(** [with_halo ~width boundary a] is, on each rank, {!local}[ a] between its {e halo}: the [width] elements to
    its left and the [width] elements to its right (ghost cells), whichever ranks have them. [(local a).(j)]
    is at [j + width]. It is empty on a rank that has no elements.

    Each rank sends one message to, and gets one from, each rank that has elements of its halo: two ranks,
    unless the blocks are shorter than [width] (and one more for each message above 4 KiB). It gets up to
    [2 * width] elements, each once, and takes one all-reduce of three integers. O(n / ranks) beside O(width *
    log width) steps for each of these ranks. Meanwhile it needs some tens of words for each element of the
    halo, beside the result.
    @raise Invalid_argument
      if [width < 0], if no array has room for such a halo, or if the distribution is not [Block]. *)

val stencil : width:int -> 'a boundary -> ('a array -> int -> 'b) -> 'a t -> 'b t
(** [stencil ~width boundary f a] is the array, distributed as [a], whose elements are [f cells i], where
    [cells.(i)] is the element of [a] with the same index, and [cells.(i + d)] is its neighbour at distance
    [d], from [-width] to [width]. [f] must not write to [cells] ({!with_halo}), nor look further.
    @raise Invalid_argument as {!with_halo}. *)

(**/**)

(** For tests. *)
module Private : sig
  val part_to_sort : ('a -> 'a -> int) -> 'a t -> 'a array
  (** What a rank gets to sort in {!sort}. Collective. *)
end
