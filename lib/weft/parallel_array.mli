(** Parallel functions on arrays.

    [Weft.Array] has all functions of OCaml's [Array], and more. After [open Weft] or
    [module Array = Weft.Array], [a.(i)] still works; [doc/stdlib.md] says where a type differs. The arrays
    are OCaml's own; results of floats are unboxed as usual.

    {b Order.} The user's functions are called in any order, several at a time, in the calling fiber or in
    others, and once for each element, unless it says otherwise below. All calls have ended when a function of
    this module returns or raises; inside a pool it may suspend the calling fiber. There is nothing to tune
    ({!Weft.parallel_for}). Only the filters, the prefix sums, {!dedup}, {!histogram}, {!reduce_by_index} and
    the functions {{!keys} by key} divide the work into larger blocks, each of which one domain runs from end
    to end. Besides the calls of the user's functions, a call costs as much as a loop.

    {b Exceptions.} When a call of a user's function raises, no new group of calls is started, and the
    exception of the smallest failing index that ran is raised, with its backtrace; the others go to
    {!Weft.set_suppressed_handler}. So if only one call can fail, the exception is that of the sequential
    program. Arrays that are changed in place keep the changes made so far.

    {b Determinism.} If the user's functions are deterministic, results are the same for every number of
    domains and every schedule: which elements are combined with which depends on lengths alone.
    Floating-point sums have the same bits.

    {b Parts of arrays.} Most functions that visit the elements of one array and return no array take [?pos]
    and [?len]: they work on the [len] elements from index [pos] on; by default [pos] is 0, and [len] reaches
    to the end. Indices are still those of the whole array. Functions that OCaml's [Array] has as well take
    the same arguments as there; beside each of them is one for a part of the array, whose name ends in [_sub]
    ({!iter_sub}). All functions with [?pos] and [?len] raise [Invalid_argument] if the array has no such
    part.

    If others change an array while a function of this module works on it, the result mixes old and new
    elements; nothing worse happens.

    {b Cost}, for n elements: O(n) steps, and one call of each given function per element, unless it says
    otherwise. Functions in place, summaries and searches allocate O(1) words for each block; others take O(n)
    words, for their results. The {e span}, the time that no number of domains can shorten, is O(log n) forks,
    a block, and the longest call. A block takes a few microseconds, or is one call that takes longer. In
    summaries a block has up to 64 elements. In filters, prefix sums and {!dedup} it has up to 2,048, and one
    fiber adds up the counts or sums of the blocks, in n / 2,048 steps. Besides, one fiber makes the new
    array, with a store for each element, which is a small part of the work; large arrays of floats are made
    in parallel. {!length}, {!get}, {!set}, {!unsafe_get} and {!unsafe_set} are O(1). Copies are made in
    parallel only if they have more than 4,096 elements; copies to new arrays, only if the pool has three
    domains or more. *)

type 'a t = 'a array

external length : 'a array -> int = "%array_length"
(** As in OCaml's [Array], and so are the following four. *)

external get : 'a array -> int -> 'a = "%array_safe_get"
(** [get a i] is element [i].
    @raise Invalid_argument if there is none. *)

external set : 'a array -> int -> 'a -> unit = "%array_safe_set"
(** [set a i x] makes [x] element [i].
    @raise Invalid_argument if there is none. *)

external unsafe_get : 'a array -> int -> 'a = "%array_unsafe_get"
(** {!get} without a check of the index: if there is no such element, anything may happen. *)

external unsafe_set : 'a array -> int -> 'a -> unit = "%array_unsafe_set"
(** {!set} without a check of the index: if there is no such element, anything may happen. *)

(** {1 Making arrays} *)

val make : int -> 'a -> 'a array
(** [make n x] is an array of [n] times [x].
    @raise Invalid_argument if [n < 0], or more than an array can have. *)

val create_float : int -> float array
(** [create_float n] is an array of [n] floats that are not initialised: O(1) steps beside the allocation.
    @raise Invalid_argument as {!make}. *)

val init : int -> (int -> 'a) -> 'a array
(** [init n f] is [[| f 0; ...; f (n - 1) |]].

    If [n] is large, [f 0] returns before other calls start: its result shows whether the array is one of
    floats.
    @raise Invalid_argument as {!make}. *)

val make_matrix : int -> int -> 'a -> 'a array array
(** [make_matrix rows columns x] is an array of [rows] arrays, each of [columns] elements [x]:
    O([rows * columns]) steps and words.
    @raise Invalid_argument as {!make}, for either number. *)

val init_matrix : int -> int -> (int -> int -> 'a) -> 'a array array
(** [init_matrix rows columns f] is an array of [rows] arrays of [columns] elements: element [j] of array [i]
    is [f i j]. O([rows * columns]) steps and words. The rows are made in parallel, as by {!init}, and so are
    the elements of each row.
    @raise Invalid_argument as {!make}, for either number. *)

val of_list : 'a list -> 'a array
(** [of_list l] is the array of the elements of [l]. This function and the next four are sequential, as lists
    and sequences are: their span is O(n). *)

val to_list : 'a array -> 'a list
(** [to_list a] is the list of the elements of [a]. *)

val of_seq : 'a Seq.t -> 'a array
(** [of_seq s] is the array of the elements of [s]. *)

val to_seq : 'a array -> 'a Seq.t
(** [to_seq a] is the sequence of the elements of [a]. O(1), and O(1) per element that is taken. *)

val to_seqi : 'a array -> (int * 'a) Seq.t
(** [to_seqi a] is the sequence of the pairs of an index and its element. It costs as much as {!to_seq}. *)

(** {1 Parts and copies} *)

val append : 'a array -> 'a array -> 'a array
(** [append a b] has the elements of [a], then those of [b]. *)

val concat : 'a array list -> 'a array
(** [concat l] has the elements of all arrays of [l], in order. O(length of [l] + length of the result); the
    arrays are counted by one fiber. *)

val flatten : 'a array array -> 'a array
(** [flatten a] is like {!concat}, from an array of arrays. *)

val sub : 'a array -> int -> int -> 'a array
(** [sub a pos len] has the [len] elements of [a] from [pos] on.
    @raise Invalid_argument if they do not exist. *)

val copy : 'a array -> 'a array
(** [copy a] is a new array with the elements of [a]. *)

val blit : 'a array -> int -> 'a array -> int -> int -> unit
(** [blit a i b j len] copies [len] elements of [a] from [i] on to [b] from [j] on. It is right even if both
    are one array and the ranges overlap (then it is sequential).
    @raise Invalid_argument if the ranges do not exist. *)

val fill : 'a array -> int -> int -> 'a -> unit
(** [fill a pos len x] makes the [len] elements of [a] from [pos] on [x].
    @raise Invalid_argument if they do not exist. *)

val rev : 'a array -> 'a array
(** [rev a] is a new array with the elements of [a] in reverse order. *)

val rev_inplace : ?pos:int -> ?len:int -> 'a array -> unit
(** [rev_inplace a] reverses the order of the elements of [a]. If it is stopped, [a] still holds all its
    elements, in some order. *)

val rotate : int -> 'a array -> 'a array
(** [rotate k a] is a new array with the elements of [a] from index [k] on, and then those before it:
    [append (sub a k (n - k)) (sub a 0 k)] for [k] from 0 to [n - 1]. Any other [k] is taken modulo [n]: so
    [rotate (-1) a] begins with the last element. *)

(** {1 Element by element} *)

val map : ('a -> 'b) -> 'a array -> 'b array
(** [map f a] is [[| f a.(0); ...; f a.(n - 1) |]]. If [a] is long, [f a.(0)] returns before other calls
    start, as with {!init}. *)

val mapi : (int -> 'a -> 'b) -> 'a array -> 'b array
(** [mapi f a] is [[| f 0 a.(0); ...; f (n - 1) a.(n - 1) |]], like {!map}. *)

val map2 : ('a -> 'b -> 'c) -> 'a array -> 'b array -> 'c array
(** [map2 f a b] is [[| f a.(0) b.(0); ...; f a.(n - 1) b.(n - 1) |]], like {!map}.
    @raise Invalid_argument if the lengths differ. *)

val iter : ('a -> unit) -> 'a array -> unit
(** [iter f a] calls [f] for all elements of [a]. *)

val iter_sub : ?pos:int -> ?len:int -> ('a -> unit) -> 'a array -> unit
(** The same as {!iter}, for a part of the array. *)

val iteri : (int -> 'a -> unit) -> 'a array -> unit
(** [iteri f a] calls [f i a.(i)] for all [i]. *)

val iteri_sub : ?pos:int -> ?len:int -> (int -> 'a -> unit) -> 'a array -> unit
(** The same as {!iteri}, for a part of the array. *)

val iter2 : ('a -> 'b -> unit) -> 'a array -> 'b array -> unit
(** [iter2 f a b] calls [f a.(i) b.(i)] for all [i].
    @raise Invalid_argument if the lengths differ. *)

val map_inplace : ('a -> 'a) -> 'a array -> unit
(** [map_inplace f a] replaces each element of [a] by [f] of it. *)

val map_inplace_sub : ?pos:int -> ?len:int -> ('a -> 'a) -> 'a array -> unit
(** The same as {!map_inplace}, for a part of the array. *)

val mapi_inplace : (int -> 'a -> 'a) -> 'a array -> unit
(** [mapi_inplace f a] replaces each [a.(i)] by [f i a.(i)]. *)

val mapi_inplace_sub : ?pos:int -> ?len:int -> (int -> 'a -> 'a) -> 'a array -> unit
(** The same as {!mapi_inplace}, for a part of the array. *)

val split : ('a * 'b) array -> 'a array * 'b array
(** [split a] has the first and the second components of [a]. *)

val combine : 'a array -> 'b array -> ('a * 'b) array
(** [combine a b] is [[| (a.(0), b.(0)); ...; (a.(n - 1), b.(n - 1)) |]].
    @raise Invalid_argument if the lengths differ. *)

(** {1 Some of the elements} *)

val filter : ('a -> bool) -> 'a array -> 'a array
(** [filter p a] has the elements of [a] for which [p] holds, in order. Besides the result it takes a byte per
    element. *)

val filteri : (int -> 'a -> bool) -> 'a array -> 'a array
(** [filteri p a] has the elements [a.(i)] of [a] for which [p i a.(i)] holds, like {!filter}. *)

val pack : bool array -> 'a array -> 'a array
(** [pack flags a] has the elements [a.(i)] for which [flags.(i)] is [true], in order, like {!filter}.
    @raise Invalid_argument if the lengths differ. *)

val pack_index : bool array -> int array
(** [pack_index flags] has the indices [i] for which [flags.(i)] is [true], in order. *)

val filter_map : ('a -> 'b option) -> 'a array -> 'b array
(** [filter_map f a] has every [x] for which some [f a.(i)] is [Some x], in the order of [a]. *)

val partition : ('a -> bool) -> 'a array -> 'a array * 'a array
(** [partition p a] is [(filter p a, filter (Fun.negate p) a)], with one call of [p] per element. *)

val flat_map : ('a -> 'b array) -> 'a array -> 'b array
(** [flat_map f a] is [flatten (map f a)], and costs as much. *)

(** {1 Two arrays}

    These are searches ({{!section-searches} below}): they stop at the first difference. *)

val equal : ('a -> 'a -> bool) -> 'a array -> 'a array -> bool
(** [equal eq a b] is whether [a] and [b] have the same length and [eq a.(i) b.(i)] holds for all [i]. Once a
    call has returned [false], exceptions of other calls are dropped. *)

val compare : ('a -> 'a -> int) -> 'a array -> 'a array -> int
(** [compare cmp a b] compares lengths first, like OCaml's [compare]: a shorter array is less. If the lengths
    are equal, the result is the first [cmp a.(i) b.(i)] that is not 0, or 0 if there is none; an exception of
    [cmp] for a smaller index is raised. For lexicographic order use {!mismatch}. *)

val mismatch : ('a -> 'b -> bool) -> 'a array -> 'b array -> int option
(** [mismatch eq a b] is the smallest index [i] at which [eq a.(i) b.(i)] does not hold, or at which one array
    has an element and the other does not; [None] if there is none. An exception of [eq] for a smaller index
    is raised. *)

(** {1 Summaries}

    Elements are combined in a binary tree that depends on the number of elements alone; in its leaves they
    are folded from the left: see {!Weft.parallel_for_reduce}. Neighbours are combined in order: functions
    need to be associative, but not commutative. *)

val reduce : ?pos:int -> ?len:int -> ('a -> 'a -> 'a) -> 'a -> 'a array -> 'a
(** [reduce f init a] is [init], [a.(0)], ..., [a.(n - 1)] combined by [f], which should be associative; it is
    [init] if there are no elements. [init] enters once, as the leftmost. If [f] is associative, the result is
    [fold_left f init a]. *)

val map_reduce : ?pos:int -> ?len:int -> ('a -> 'b) -> ('b -> 'b -> 'b) -> 'b -> 'a array -> 'b
(** [map_reduce f combine init a] is [reduce combine init (map f a)], without an array in between. *)

val fold : ?pos:int -> ?len:int -> combine:('b -> 'b -> 'b) -> ('b -> 'a -> 'b) -> 'b -> 'a array -> 'b
(** [fold ~combine f init a] folds runs of neighbouring elements by [f], each from [init] and from the left,
    and combines their results in order by [combine]; it is [init] if there are no elements. It is
    [fold_left f init a] if [combine] is associative with neutral element [init], and
    [f (combine x y) e = combine x (f y e)].

    The runs are the leaves of the tree: at most 64 elements each, in a way that depends on the number of
    elements alone. [init] enters once per run. {b It must be immutable}: if [f] changes it in place, all runs
    change it at once. *)

val fold_left : ('b -> 'a -> 'b) -> 'b -> 'a array -> 'b
(** As in OCaml's [Array]: sequential. *)

val fold_right : ('a -> 'b -> 'b) -> 'a array -> 'b -> 'b
(** As in OCaml's [Array]: sequential. *)

val fold_left_map : ('b -> 'a -> 'b * 'c) -> 'b -> 'a array -> 'b * 'c array
(** As in OCaml's [Array]: sequential. *)

val count : ?pos:int -> ?len:int -> ('a -> bool) -> 'a array -> int
(** [count p a] is how many elements [p] holds for. *)

val min : ?pos:int -> ?len:int -> ('a -> 'a -> int) -> 'a array -> 'a
(** [min compare a] is the least element by [compare]; of several equal ones, the first.
    @raise Invalid_argument if there are no elements. *)

val max : ?pos:int -> ?len:int -> ('a -> 'a -> int) -> 'a array -> 'a
(** [max compare a] is the greatest element by [compare]; of several equal ones, also the first.
    @raise Invalid_argument if there are no elements. *)

val min_opt : ?pos:int -> ?len:int -> ('a -> 'a -> int) -> 'a array -> 'a option
(** [min_opt] is like {!min}, and [None] if there are no elements. *)

val max_opt : ?pos:int -> ?len:int -> ('a -> 'a -> int) -> 'a array -> 'a option
(** [max_opt] is like {!max}, and [None] if there are no elements. *)

val minmax : ?pos:int -> ?len:int -> ('a -> 'a -> int) -> 'a array -> 'a * 'a
(** [minmax compare a] is [(min compare a, max compare a)]. It reads each element once, and compares it at
    most twice.
    @raise Invalid_argument if there are no elements. *)

val min_index : ?pos:int -> ?len:int -> ('a -> 'a -> int) -> 'a array -> int
(** [min_index compare a] is the index of the least element by [compare]; of several equal ones, of the first.
    @raise Invalid_argument if there are no elements. *)

val max_index : ?pos:int -> ?len:int -> ('a -> 'a -> int) -> 'a array -> int
(** [max_index compare a] is the index of the greatest element by [compare]; of several equal ones, of the
    first.
    @raise Invalid_argument if there are no elements. *)

val histogram : ?pos:int -> ?len:int -> buckets:int -> ('a -> int) -> 'a array -> int array
(** [histogram ~buckets f a] is an array of [buckets] numbers: element [b] says for how many elements of [a]
    the result of [f] is [b]. If there are many more elements than buckets, the array is divided into eight
    parts per worker, which are counted in parallel. Otherwise the results of [f] are stored in an array, and
    the buckets are divided among up to 16 workers: each reads the whole array, and counts for its own
    buckets. So if most elements are in the same few buckets, one worker counts most of them. O(n + [buckets])
    steps to count; the span is O(n + [buckets]).
    @raise Invalid_argument
      if [f] returns another number, or if [buckets] is negative or more than an array can have. *)

val reduce_by_index : buckets:int -> ('v -> 'v -> 'v) -> 'v -> (int * 'v) array -> 'v array
(** [reduce_by_index ~buckets f init a] is an array of [buckets] values: element [b] combines [init] and then,
    in the order of [a], the values that are paired with [b], as {!reduce} does. [f] should be associative.
    Which values are combined with which depends on the length and on [buckets] alone. The work is divided as
    in {!histogram}, into 64 parts of the array or into ranges of buckets, and costs as much: [f] is called
    once for each element, and, if the array is divided, up to 64 times more for each bucket.
    @raise Invalid_argument
      if an index in [a] is not from 0 to [buckets - 1], or if [buckets] is negative or more than an array can
      have. *)

(** {1:keys By key}

    These functions find equal keys by hash: [equal] says which are equal (by default, those that are equal by
    [compare]), and [hash] must give the same number for equal keys (by default [Hashtbl.hash], which looks at
    the first ten values in a key: give another where large keys begin alike). Any function that tells keys
    apart will do, including the identity on integers. With [H : Hashtbl.HashedType], say
    [~hash:H.hash ~equal:H.equal]. [hash] is called once for each element. [equal] is called for two keys with
    the same hash, and hardly ever for others.

    {b Order.} Keys come in the order in which they occur first in the array, and each is the first of those
    that are equal to it. Values are in the order of the array. So the results, and which values are combined
    with which, do not depend on the number of domains.

    {b Cost}, for n elements: O(n) steps and words, expected, if keys are hashed well. The array is divided
    into blocks of up to 16,384 elements, at least 64 if it is long enough. Each block has a table of its own;
    then the keys of all blocks are dealt out, by hash, into up to 512 buckets, which are merged in parallel.
    So it scales for few keys and for many. One fiber adds up the sizes, in n / 32 steps at most. *)

val remove_duplicates : ?hash:('a -> int) -> ?equal:('a -> 'a -> bool) -> 'a array -> 'a array
(** [remove_duplicates a] has the elements of [a] without those that are equal to an earlier one. O(n),
    expected. *)

val histogram_by_key :
  ?hash:('k -> int) -> ?equal:('k -> 'k -> bool) -> key:('a -> 'k) -> 'a array -> ('k * int) array
(** [histogram_by_key ~key a] has a pair for each different value of [key] on the elements of [a]: that value,
    and how many elements have it. O(n), expected. *)

val reduce_by_key :
  ?hash:('k -> int) -> ?equal:('k -> 'k -> bool) -> ('v -> 'v -> 'v) -> ('k * 'v) array -> ('k * 'v) array
(** [reduce_by_key f a] has a pair for each different key among the pairs of [a]: the key, and its values
    combined by [f], which should be associative. For each key, [f] is called once less than the key has
    values. O(n), expected. *)

val group_by :
  ?hash:('k -> int) -> ?equal:('k -> 'k -> bool) -> key:('a -> 'k) -> 'a array -> ('k * 'a array) array
(** [group_by ~key a] has a pair for each different value of [key] on the elements of [a]: that value and the
    elements that have it, in the order of [a]. O(n), expected. *)

val group_by_key : ?hash:('k -> int) -> ?equal:('k -> 'k -> bool) -> ('k * 'v) array -> ('k * 'v array) array
(** [group_by_key a] has a pair for each different key among the pairs of [a]: the key, and its values, in the
    order of [a]. O(n), expected. *)

(** {1:searches Searches}

    A search makes O(n) calls, and starts no new block once it has its answer. *)

val exists : ('a -> bool) -> 'a array -> bool
(** [exists p a] is whether [p] holds for some element. Once [p] has returned [true], no new group of calls
    starts, and exceptions of other calls are dropped. *)

val exists_sub : ?pos:int -> ?len:int -> ('a -> bool) -> 'a array -> bool
(** The same as {!exists}, for a part of the array. *)

val for_all : ('a -> bool) -> 'a array -> bool
(** [for_all p a] is whether [p] holds for all elements. Once a call has returned [false], exceptions of other
    calls are dropped. *)

val for_all_sub : ?pos:int -> ?len:int -> ('a -> bool) -> 'a array -> bool
(** The same as {!for_all}, for a part of the array. *)

val for_none : ?pos:int -> ?len:int -> ('a -> bool) -> 'a array -> bool
(** [for_none p a] is [not (exists p a)]. *)

val exists2 : ('a -> 'b -> bool) -> 'a array -> 'b array -> bool
(** [exists2 p a b] is whether [p a.(i) b.(i)] holds for some [i], like {!exists}.
    @raise Invalid_argument if the lengths differ. *)

val for_all2 : ('a -> 'b -> bool) -> 'a array -> 'b array -> bool
(** [for_all2 p a b] is whether [p a.(i) b.(i)] holds for all [i], like {!for_all}.
    @raise Invalid_argument if the lengths differ. *)

val mem : 'a -> 'a array -> bool
(** [mem x a] is whether some element is equal to [x] by [compare]. *)

val mem_sub : ?pos:int -> ?len:int -> 'a -> 'a array -> bool
(** The same as {!mem}, for a part of the array. *)

val memq : 'a -> 'a array -> bool
(** [memq x a] is whether some element is physically equal to [x]. *)

val memq_sub : ?pos:int -> ?len:int -> 'a -> 'a array -> bool
(** The same as {!memq}, for a part of the array. *)

val find : ?pos:int -> ?len:int -> ('a -> bool) -> 'a array -> 'a
(** [find p a] is the first element for which [p] holds. Like the sequential search, it raises what [p] raises
    for an element before that one. [p] may have been called for elements behind it, but no new calls start
    there once it is known.
    @raise Not_found if there is none. *)

val find_opt : ('a -> bool) -> 'a array -> 'a option
(** [find_opt p a] is like {!find}, and [None] if there is none. *)

val find_opt_sub : ?pos:int -> ?len:int -> ('a -> bool) -> 'a array -> 'a option
(** The same as {!find_opt}, for a part of the array. *)

val find_index : ('a -> bool) -> 'a array -> int option
(** [find_index p a] is the smallest index of an element for which [p] holds, like {!find_opt}. *)

val find_index_sub : ?pos:int -> ?len:int -> ('a -> bool) -> 'a array -> int option
(** The same as {!find_index}, for a part of the array. *)

val find_map : ('a -> 'b option) -> 'a array -> 'b option
(** [find_map f a] is the first [Some _] among the [f a.(i)], like {!find_opt}. *)

val find_map_sub : ?pos:int -> ?len:int -> ('a -> 'b option) -> 'a array -> 'b option
(** The same as {!find_map}, for a part of the array. *)

val find_mapi : (int -> 'a -> 'b option) -> 'a array -> 'b option
(** [find_mapi f a] is the first [Some _] among the [f i a.(i)], like {!find_opt}. *)

val find_mapi_sub : ?pos:int -> ?len:int -> (int -> 'a -> 'b option) -> 'a array -> 'b option
(** The same as {!find_mapi}, for a part of the array. *)

(** {1 Prefix sums}

    The blocks depend on the length alone (Blelloch, Prefix sums and their applications, 1990). The function
    is called about twice per element, so two domains hardly gain if it is cheap: for sums there is
    {!prefix_sums}. *)

val scan : ('a -> 'a -> 'a) -> 'a array -> 'a array
(** Element [i] of [scan f a] is [a.(0)], ..., [a.(i)] combined by [f], which should be associative. *)

val scan_inclusive : ('a -> 'a -> 'a) -> 'a array -> 'a array
(** The same as {!scan}: O(n). *)

val scan_exclusive : ('a -> 'a -> 'a) -> 'a -> 'a array -> 'a array
(** Element [i] of [scan_exclusive f init a] is [init], [a.(0)], ..., [a.(i - 1)] combined by [f], which
    should be associative; element 0 is [init]. *)

val scan_total : ('a -> 'a -> 'a) -> 'a -> 'a array -> 'a array * 'a
(** [scan_total f init a] is [(scan_exclusive f init a, total)], where [total] combines [init] and all
    elements. *)

val prefix_sums : int array -> int array
(** [prefix_sums a] is [scan ( + ) a], without a call for each element. *)

val scan_inplace : ?pos:int -> ?len:int -> ('a -> 'a -> 'a) -> 'a array -> unit
(** [scan_inplace f a] replaces the elements of [a] by those of [scan f a]. If it is stopped, some elements
    are replaced and the others are the old ones. It takes O(1) words for each block. *)

val scan_exclusive_inplace : ?pos:int -> ?len:int -> ('a -> 'a -> 'a) -> 'a -> 'a array -> 'a
(** [scan_exclusive_inplace f init a] replaces the elements of [a] by those of [scan_exclusive f init a], like
    {!scan_inplace}, and returns the total of {!scan_total}. *)

(** {1 Sorting}

    [cmp x y] is negative, 0 or positive if [x] is less than, equal to or greater than [y]. Several domains
    call it at the same time. It may raise, suspend and fork. If it contradicts itself, the order of the
    result is arbitrary, but its elements are the right ones. Nobody may write to the arrays meanwhile. If a
    sort is stopped by an exception, a cancellation, a time-out or a full stack, the array holds its elements
    in some order. *)

val sort : ('a -> 'a -> int) -> 'a array -> unit
(** [sort cmp a] sorts [a] in increasing order. Equal elements keep their order. About [n log n] comparisons
    for [n] elements; [n] if [a] is sorted already, [2 n] if it is strictly decreasing. On one domain it takes
    no longer than [Stdlib.Array.stable_sort]; it runs in parallel whatever a comparison costs. It takes [n]
    more words of memory, [2 n] if the elements are integers (or other immediate values). Its span is
    O(log{^ 3} n) comparisons and some blocks.

    If [cmp] raises, so does [sort] when all comparisons have ended; [a] then holds its elements in some
    order. If several comparisons raise at the same time, it depends on timing which exception [sort] raises.

    Merge sort with parallel merges (Cormen, Leiserson, Rivest and Stein, Introduction to Algorithms, 3rd
    edition, 27.3), divided lazily as loops are. *)

val stable_sort : ('a -> 'a -> int) -> 'a array -> unit
(** The same as {!sort}: O(n log n). *)

val fast_sort : ('a -> 'a -> int) -> 'a array -> unit
(** The same as {!sort}: O(n log n). *)

val sorted : ('a -> 'a -> int) -> 'a array -> 'a array
(** [sorted cmp a] is a new array with the elements of [a], sorted as by {!sort}: O(n log n). *)

val is_sorted : ?pos:int -> ?len:int -> ('a -> 'a -> int) -> 'a array -> bool
(** [is_sorted cmp a] is whether no element is greater than the next: at most [n - 1] comparisons. Once one is
    found that is greater, no new group of comparisons starts, as in {!exists}. *)

val sort_by_key : key:('a -> 'k) -> ('k -> 'k -> int) -> 'a array -> unit
(** [sort_by_key ~key cmp a] is [sort (fun x y -> cmp (key x) (key y)) a], with one call of [key] for each
    element: use it if keys take long to compute. O(n log n); 4 n words. For keys that are integers see
    {!integer_sort}. *)

val integer_sort : key:('a -> int) -> 'a array -> unit
(** [integer_sort ~key a] is [sort_by_key ~key Int.compare a], without a comparison: O(n) steps for each 11
    bits of the difference of the greatest and the least key, and one more if they have more than about 40
    bits. Any integers may be keys. One call of [key] for each element; 4 n words. If [a] is in order already,
    it is only read. The span is O(n / workers) steps: each worker moves up to 65,536 elements at a time.

    Radix sort of pairs of a key and the index of its element (or the element itself, where that is an
    integer). At the end, every element is moved once. *)

val counting_sort : buckets:int -> key:('a -> int) -> 'a array -> int array
(** [counting_sort ~buckets ~key a] is {!integer_sort}[ ~key a] for keys from 0 to [buckets - 1]. It returns
    where each bucket begins: an array [starts] of [buckets + 1] indices, such that the elements with key [b]
    are those from index [starts.(b)] on and before [starts.(b + 1)]. It costs as much as {!integer_sort}, and
    O([buckets]) steps and words more.
    @raise Invalid_argument
      if [key] returns another number, or if [buckets] is negative or larger than the length of an array can
      be; [a] is unchanged then. *)

val rank : ('a -> 'a -> int) -> 'a array -> int array
(** [rank cmp a] is an array of indices: its element [i] is the index of [a.(i)] in [sorted cmp a]. O(n log n)
    steps, and 3 n words. *)

val kth_smallest : ('a -> 'a -> int) -> int -> 'a array -> 'a
(** [kth_smallest cmp k a] is [(sorted cmp a).(k)]: the least element if [k] is 0. O(n) steps and about 2 n
    comparisons, expected; the span is that of O(log n) filters. [a] is not changed. Quickselect (Hoare,
    Algorithm 65: Find, 1961) with parallel filters.
    @raise Invalid_argument if there is no element [k]. *)

val sort_uniq : ('a -> 'a -> int) -> 'a array -> 'a array
(** [sort_uniq cmp a] is a new array with the elements of [a] in strictly increasing order: of equal elements
    the first in [a]. It costs as much as {!sort} and {!dedup}, and a copy by one fiber, O(n). *)

val dedup : ('a -> 'a -> int) -> 'a array -> 'a array
(** [dedup cmp a] is a new array with the elements of [a], which must be sorted, without those that are equal
    to the one before. [n - 1] comparisons. *)

val merge : ('a -> 'a -> int) -> 'a array -> 'a array -> 'a array
(** [merge cmp a b] is a new sorted array with all elements of [a] and [b], which must be sorted. Equal
    elements keep their order, and those of [a] come before those of [b]. Up to 32 elements are merged by the
    caller alone, in a plain loop. It makes at most as many comparisons as there are elements, and a few more
    to divide the work; its span is O(log{^ 2} n) comparisons, some blocks, and a copy of both by one fiber,
    O(n). *)

(** {1 Random order} *)

val shuffle : Task_random.t -> 'a array -> unit
(** [shuffle t a] is {!Weft.Random.shuffle}[ t a]; see there for its cost. *)
