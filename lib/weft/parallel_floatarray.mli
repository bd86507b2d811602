(** Parallel functions on [floatarray]s.

    The arrays are OCaml's own ([Float.Array.t]). The rules of {!Weft.Array} hold here, too: order of calls,
    exceptions, determinism (sums have the same bits for every number of domains), [?pos], [?len] and [_sub].
    Results are allocated without being initialised, so the domains that compute them are the first to touch
    their pages.

    Functions without a function argument ({!sum}, {!dot}, {!min}, {!fill}, {!blit}, ...) box no floats; if
    the user's function takes or returns a float, OCaml boxes one per call.

    {b Cost}, for n elements: as for the functions of these names in {!Weft.Array}, O(n) steps and one call of
    each given function per element, unless it says otherwise. {!length}, {!get}, {!set}, {!unsafe_get} and
    {!unsafe_set} are O(1), {!sort} O(n log n). {!sum}, {!dot}, {!min} and {!max} are summaries like
    {!reduce}, and {!create} takes O(1) steps beside the allocation. *)

type t = floatarray

external length : floatarray -> int = "%floatarray_length"
(** As in OCaml's [Float.Array], and so are the following four. *)

external get : floatarray -> int -> float = "%floatarray_safe_get"
(** [get a i] is element [i].
    @raise Invalid_argument if there is none. *)

external set : floatarray -> int -> float -> unit = "%floatarray_safe_set"
(** [set a i x] makes [x] element [i].
    @raise Invalid_argument if there is none. *)

external unsafe_get : floatarray -> int -> float = "%floatarray_unsafe_get"
(** {!get} without a check of the index: if there is no such element, anything may happen. *)

external unsafe_set : floatarray -> int -> float -> unit = "%floatarray_unsafe_set"
(** {!set} without a check of the index: if there is no such element, anything may happen. *)

(** {1 Making arrays} *)

val create : int -> floatarray
(** [create n] is an array of [n] floats that are not initialised.
    @raise Invalid_argument if [n < 0], or more than an array can have. *)

val make : int -> float -> floatarray
(** [make n x] is an array of [n] times [x].
    @raise Invalid_argument as {!create}. *)

val init : int -> (int -> float) -> floatarray
(** [init n f] has [f 0, ..., f (n - 1)].
    @raise Invalid_argument as {!create}. *)

val make_matrix : int -> int -> float -> floatarray array
(** [make_matrix rows columns x] is an array of [rows] arrays, each of [columns] elements [x]:
    O([rows * columns]) steps and words.
    @raise Invalid_argument as {!create}, for either number. *)

val init_matrix : int -> int -> (int -> int -> float) -> floatarray array
(** [init_matrix rows columns f] is an array of [rows] arrays of [columns] elements: element [j] of array [i]
    is [f i j]. O([rows * columns]) steps and words.
    @raise Invalid_argument as {!create}, for either number. *)

val of_list : float list -> floatarray
(** [of_list l] is the array of the elements of [l]. This function and the next four are those of OCaml's
    [Float.Array]: sequential. *)

val to_list : floatarray -> float list
(** [to_list a] is the list of the elements of [a]. *)

val of_seq : float Seq.t -> floatarray
(** [of_seq s] is the array of the elements of [s]. *)

val to_seq : floatarray -> float Seq.t
(** [to_seq a] is the sequence of the elements of [a]. O(1), and O(1) per element that is taken. *)

val to_seqi : floatarray -> (int * float) Seq.t
(** [to_seqi a] is the sequence of the pairs of an index and its element. It costs as much as {!to_seq}. *)

val of_array : float array -> floatarray
(** [of_array a] has the elements of [a]. *)

val to_array : floatarray -> float array
(** [to_array a] is an array (of unboxed floats, as usual) with the elements of [a]. *)

(** {1 Parts and copies} *)

val append : floatarray -> floatarray -> floatarray
(** [append a b] has the elements of [a], then those of [b]. *)

val concat : floatarray list -> floatarray
(** [concat l] has the elements of all arrays of [l], in order. *)

val sub : floatarray -> int -> int -> floatarray
(** [sub a pos len] has the [len] elements of [a] from [pos] on.
    @raise Invalid_argument if they do not exist. *)

val copy : floatarray -> floatarray
(** [copy a] is a new array with the elements of [a]. *)

val blit : floatarray -> int -> floatarray -> int -> int -> unit
(** [blit a i b j len] copies [len] elements of [a] from [i] on to [b] from [j] on. It is right even if both
    are one array and the ranges overlap (then it is sequential).
    @raise Invalid_argument if the ranges do not exist. *)

val fill : floatarray -> int -> int -> float -> unit
(** [fill a pos len x] makes the [len] elements of [a] from [pos] on [x].
    @raise Invalid_argument if they do not exist. *)

(** {1 Element by element} *)

val map : (float -> float) -> floatarray -> floatarray
(** [map f a] has [f a.(0), ..., f a.(n - 1)]. *)

val mapi : (int -> float -> float) -> floatarray -> floatarray
(** [mapi f a] has [f 0 a.(0), ..., f (n - 1) a.(n - 1)]. *)

val map2 : (float -> float -> float) -> floatarray -> floatarray -> floatarray
(** [map2 f a b] has [f a.(0) b.(0), ..., f a.(n - 1) b.(n - 1)].
    @raise Invalid_argument if the lengths differ. *)

val map_to_array : (float -> 'a) -> floatarray -> 'a array
(** [map_to_array f a] is [[| f a.(0); ...; f a.(n - 1) |]], made like {!Weft.Array.map}. *)

val map_of_array : ('a -> float) -> 'a array -> floatarray
(** [map_of_array f a] has [f a.(0), ..., f a.(n - 1)]. *)

val map_from_array : ('a -> float) -> 'a array -> floatarray
(** The same as {!map_of_array}, by the name that OCaml's [Float.Array] has for it. *)

val map_inplace : (float -> float) -> floatarray -> unit
(** [map_inplace f a] replaces each element of [a] by [f] of it. *)

val mapi_inplace : (int -> float -> float) -> floatarray -> unit
(** [mapi_inplace f a] replaces each [a.(i)] by [f i a.(i)]. *)

val iter2 : (float -> float -> unit) -> floatarray -> floatarray -> unit
(** [iter2 f a b] calls [f a.(i) b.(i)] for all [i].
    @raise Invalid_argument if the lengths differ. *)

val iter : (float -> unit) -> floatarray -> unit
(** [iter f a] calls [f] for all elements of [a]. *)

val iter_sub : ?pos:int -> ?len:int -> (float -> unit) -> floatarray -> unit
(** The same as {!iter}, for a part of the array. *)

val iteri : (int -> float -> unit) -> floatarray -> unit
(** [iteri f a] calls [f i a.(i)] for all [i]. *)

val iteri_sub : ?pos:int -> ?len:int -> (int -> float -> unit) -> floatarray -> unit
(** The same as {!iteri}, for a part of the array. *)

val filter : (float -> bool) -> floatarray -> floatarray
(** [filter p a] has the elements of [a] for which [p] holds, in order. *)

(** {1 Summaries} *)

val sum : ?pos:int -> ?len:int -> floatarray -> float
(** [sum a] is the sum of the elements, [0.] if there are none. They are added in a tree that depends on the
    number of elements alone, so that the rounding error grows with the logarithm of that number, as in
    pairwise summation (Higham, The accuracy of floating point summation, 1993). In that order, partial sums
    of great elements may overflow, and the result be infinite or [nan], where those of a loop do not. The sum
    of negative zeros is [-0.]. *)

val dot : floatarray -> floatarray -> float
(** [dot a b] is the sum of the products [a.(i) *. b.(i)], added like {!sum}.
    @raise Invalid_argument if the lengths differ. *)

val min : ?pos:int -> ?len:int -> floatarray -> float
(** [min a] is the least element, by the rules of [Float.min]: [nan] if there is one, and [-0.] is less than
    [0.].
    @raise Invalid_argument if there are no elements. *)

val max : ?pos:int -> ?len:int -> floatarray -> float
(** [max a] is the greatest element, by the rules of [Float.max]: [nan] if there is one, and [0.] is greater
    than [-0.].
    @raise Invalid_argument if there are no elements. *)

val min_opt : ?pos:int -> ?len:int -> floatarray -> float option
(** [min_opt] is like {!min}, and [None] if there are no elements. *)

val max_opt : ?pos:int -> ?len:int -> floatarray -> float option
(** [max_opt] is like {!max}, and [None] if there are no elements. *)

val reduce : ?pos:int -> ?len:int -> (float -> float -> float) -> float -> floatarray -> float
(** [reduce f init a] is [init], [a.(0)], ..., [a.(n - 1)] combined by [f], like {!Weft.Array.reduce}. *)

val fold : ?pos:int -> ?len:int -> combine:('b -> 'b -> 'b) -> ('b -> float -> 'b) -> 'b -> floatarray -> 'b
(** [fold ~combine f init a] is like {!Weft.Array.fold}: [init] must be neutral for [combine]. *)

val fold_left : ('b -> float -> 'b) -> 'b -> floatarray -> 'b
(** As in OCaml's [Float.Array]: sequential. *)

val fold_right : (float -> 'b -> 'b) -> floatarray -> 'b -> 'b
(** As in OCaml's [Float.Array]: sequential. *)

val count : ?pos:int -> ?len:int -> (float -> bool) -> floatarray -> int
(** [count p a] is how many elements [p] holds for. *)

(** {1 Searches} *)

val exists : (float -> bool) -> floatarray -> bool
(** [exists p a] is whether [p] holds for some element, like {!Weft.Array.exists}. *)

val exists_sub : ?pos:int -> ?len:int -> (float -> bool) -> floatarray -> bool
(** The same as {!exists}, for a part of the array. *)

val for_all : (float -> bool) -> floatarray -> bool
(** [for_all p a] is whether [p] holds for all elements, like {!Weft.Array.for_all}. *)

val for_all_sub : ?pos:int -> ?len:int -> (float -> bool) -> floatarray -> bool
(** The same as {!for_all}, for a part of the array. *)

val mem : float -> floatarray -> bool
(** [mem x a] is whether some element is equal to [x] by [Float.compare], so that [nan] is equal to itself. *)

val mem_ieee : float -> floatarray -> bool
(** [mem_ieee x a] is whether some element is equal to [x] by [=], so that [nan] is equal to nothing. *)

val find_opt : (float -> bool) -> floatarray -> float option
(** [find_opt p a] is the first element for which [p] holds, like {!Weft.Array.find_opt}. *)

val find_map : (float -> 'a option) -> floatarray -> 'a option
(** [find_map f a] is the first [Some _] among the [f a.(i)], like {!Weft.Array.find_map}. *)

val find_mapi : (int -> float -> 'a option) -> floatarray -> 'a option
(** [find_mapi f a] is the first [Some _] among the [f i a.(i)], like {!Weft.Array.find_mapi}. *)

val find_index : (float -> bool) -> floatarray -> int option
(** [find_index p a] is the smallest index of an element for which [p] holds, like {!Weft.Array.find_index}.
*)

val find_index_sub : ?pos:int -> ?len:int -> (float -> bool) -> floatarray -> int option
(** The same as {!find_index}, for a part of the array. *)

(** {1 Prefix sums} *)

val scan : (float -> float -> float) -> floatarray -> floatarray
(** [scan f a] is like {!Weft.Array.scan}. *)

val scan_inclusive : (float -> float -> float) -> floatarray -> floatarray
(** The same as {!scan}: O(n). *)

val scan_exclusive : (float -> float -> float) -> float -> floatarray -> floatarray
(** [scan_exclusive f init a] is like {!Weft.Array.scan_exclusive}. *)

val prefix_sums : floatarray -> floatarray
(** [prefix_sums a] is [scan ( +. ) a], but added in another order: the results may be rounded in another way,
    and where elements are great, partial sums may overflow where those of [scan] do not, as in {!sum}. It
    calls no function for each element, and boxes no floats. It has the same bits for every number of domains.
*)

(** {1 Sorting} *)

val sort_floats : floatarray -> unit
(** [sort_floats a] sorts [a] in the order of [Float.compare]: nan comes first, and [-0.] is equal to [0.].
    Equal elements keep their order. About twice as fast as {!Weft.Array.sort} of as many floats: no
    comparison is called, and no float is boxed. O(n log n). *)

val sort : floatarray -> unit
(** The same as {!sort_floats}: O(n log n). OCaml's [Float.Array.sort] takes a comparison: that function is
    {!stable_sort} here. *)

val stable_sort : (float -> float -> int) -> floatarray -> unit
(** [stable_sort cmp a] sorts [a] in increasing order by [cmp], like {!Weft.Array.sort}: O(n log n). *)

val fast_sort : (float -> float -> int) -> floatarray -> unit
(** The same as {!stable_sort}: O(n log n). *)

val sorted : floatarray -> floatarray
(** [sorted a] is a new array with the elements of [a], sorted as by {!sort_floats}: O(n log n). *)

val is_sorted : ?pos:int -> ?len:int -> floatarray -> bool
(** [is_sorted a] is whether no element is greater than the next, in the order of {!sort_floats}. *)

val rank : floatarray -> int array
(** [rank a] is an array of indices: its element [i] is the index of [a.(i)] in [sorted a], as in
    {!Weft.Array.rank}. O(n log n). *)

val kth_smallest : int -> floatarray -> float
(** [kth_smallest k a] is element [k] of [sorted a], like {!Weft.Array.kth_smallest}: O(n), expected.
    @raise Invalid_argument if there is no element [k]. *)

(** {1 Random order} *)

val shuffle : rand:(int -> int) -> floatarray -> unit
(** As in OCaml's [Float.Array]: sequential. [rand n] is called for each [n] from the length down to 2, and
    must return a number from 0 to [n - 1]. *)
