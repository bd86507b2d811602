(** Parallel functions on lists.

    Each function does the same as the one of that name in OCaml's [List], but may make several calls of the
    functions given to it at the same time, in any order, in the calling fiber or in others. It may suspend
    the calling fiber, as {!Weft.parallel_for} does. Once a call has raised, no new group of elements is
    started, and the exception of the leftmost element that ran and raised is raised. The result is in the
    order of the list and does not depend on the schedule.

    All functions of OCaml's [List] are here with their types (up to OCaml 5.5, for all versions): a program
    that says [module List = Weft.List] still compiles ([doc/stdlib.md] has the table). Functions that are
    sequential by nature are OCaml's own ({{!sequential} "Sequential"}).

    The calling fiber copies the list into an array first, and makes the resulting list at the end. On one
    domain, [map] with an empty function takes about twice as long as OCaml's. So if an element takes less
    than some ten nanoseconds, use arrays. No function needs stack space for long lists.

    {b Cost}, for n elements: O(n) steps and words, and one call of the given function per element, unless it
    says otherwise. The calls run in parallel, with spans as in {!Weft.Array}; before and after them, one
    fiber goes through the list: always O(n), even if a search ends early. *)

type 'a t = 'a list = [] | ( :: ) of 'a * 'a list

val init : int -> (int -> 'a) -> 'a list
(** [init n f] is [[f 0; ...; f (n - 1)]].
    @raise Invalid_argument if [n < 0] or [n > Sys.max_array_length]; [f] is not called then. *)

val map : ('a -> 'b) -> 'a list -> 'b list
(** [map f [a0; ...; an]] is [[f a0; ...; f an]]. *)

val mapi : (int -> 'a -> 'b) -> 'a list -> 'b list
(** [mapi f [a0; ...; an]] is [[f 0 a0; ...; f n an]]. *)

val rev_map : ('a -> 'b) -> 'a list -> 'b list
(** [rev_map f l] is [rev (map f l)]. *)

val map2 : ('a -> 'b -> 'c) -> 'a list -> 'b list -> 'c list
(** [map2 f [a0; ...; an] [b0; ...; bn]] is [[f a0 b0; ...; f an bn]].
    @raise Invalid_argument if the lengths differ; [f] is not called then. *)

val rev_map2 : ('a -> 'b -> 'c) -> 'a list -> 'b list -> 'c list
(** [rev_map2 f l m] is [rev (map2 f l m)].
    @raise Invalid_argument as {!map2}. *)

val iter : ('a -> unit) -> 'a list -> unit
(** [iter f [a0; ...; an]] calls [f a0], ..., [f an]. *)

val iteri : (int -> 'a -> unit) -> 'a list -> unit
(** [iteri f [a0; ...; an]] calls [f 0 a0], ..., [f n an]. *)

val iter2 : ('a -> 'b -> unit) -> 'a list -> 'b list -> unit
(** [iter2 f [a0; ...; an] [b0; ...; bn]] calls [f a0 b0], ..., [f an bn].
    @raise Invalid_argument as {!map2}. *)

val filter : ('a -> bool) -> 'a list -> 'a list
(** [filter p l] is the list of the elements of [l] that satisfy [p]. *)

val find_all : ('a -> bool) -> 'a list -> 'a list
(** The same as {!filter}. *)

val filteri : (int -> 'a -> bool) -> 'a list -> 'a list
(** [filteri p [a0; ...; an]] is the list of the [ai] for which [p i ai] is [true]. *)

val filter_map : ('a -> 'b option) -> 'a list -> 'b list
(** [filter_map f l] is the list of all [b] such that [f a] is [Some b] for an element [a] of [l]. *)

val filter_mapi : (int -> 'a -> 'b option) -> 'a list -> 'b list
(** [filter_mapi f [a0; ...; an]] is the list of all [b] such that [f i ai] is [Some b]. *)

val partition : ('a -> bool) -> 'a list -> 'a list * 'a list
(** [partition p l] is the elements of [l] that satisfy [p], and those that do not. *)

val partition_map : ('a -> ('b, 'c) Either.t) -> 'a list -> 'b list * 'c list
(** [partition_map f l] is two lists: every [b] for which [f] returned [Left b], and every [c] for which it
    returned [Right c]. *)

val split_map : ('c -> 'a * 'b) -> 'c list -> 'a list * 'b list
(** [split_map f l] is [split (map f l)]. *)

val concat_map : ('a -> 'b list) -> 'a list -> 'b list
(** [concat_map f l] is the concatenation of the lists [f a], for the elements [a] of [l]. O(n + length of the
    result). *)

val reduce : ('a -> 'a -> 'a) -> 'a -> 'a list -> 'a
(** [reduce combine init l] combines [init] and then the elements of [l], in this order, by [combine], which
    should be associative. [init] enters once, and is the result if [l] is empty. The nesting of the calls
    depends on the length of [l] alone: see {!Weft.parallel_for_reduce}. *)

val fold : combine:('acc -> 'acc -> 'acc) -> ('acc -> 'a -> 'acc) -> 'acc -> 'a list -> 'acc
(** [fold ~combine f init l] divides [l] into parts, computes [List.fold_left f init part] for each, and
    combines the results in their order by [combine], which should be associative. So [init] enters once for
    each part: it should be neutral, as [0] is for [+], and immutable. The parts, and the nesting of the calls
    of [combine], depend on the length of [l] alone. If [l] is empty, the result is [init]. *)

val count : ('a -> bool) -> 'a list -> int
(** [count p l] is how many elements of [l] satisfy [p]. *)

val for_all : ('a -> bool) -> 'a list -> bool
(** [for_all p l] is whether all elements of [l] satisfy [p]. If an element is found that does not, that ends
    the search, and wins against exceptions. *)

val exists : ('a -> bool) -> 'a list -> bool
(** [exists p l] is whether some element of [l] satisfies [p]. If one is found, that ends the search, and wins
    against exceptions. *)

val for_all2 : ('a -> 'b -> bool) -> 'a list -> 'b list -> bool
(** [for_all2 p [a0; ...; an] [b0; ...; bn]] is whether [p ai bi] holds for all [i], like {!for_all}.
    @raise Invalid_argument
      if the lengths differ; [p] is not called then. (OCaml's function raises only if it has no answer when
      the shorter list ends.) *)

val exists2 : ('a -> 'b -> bool) -> 'a list -> 'b list -> bool
(** [exists2 p [a0; ...; an] [b0; ...; bn]] is whether [p ai bi] holds for some [i], like {!exists}.
    @raise Invalid_argument as {!for_all2}. *)

val mem : 'a -> 'a list -> bool
(** [mem x l] is whether some element of [l] is equal to [x], by [compare]. *)

val find : ('a -> bool) -> 'a list -> 'a
(** [find p l] is the first element of [l] that satisfies [p]. Like the sequential search, it raises what [p]
    raises for an earlier element.
    @raise Not_found if there is none. *)

val find_opt : ('a -> bool) -> 'a list -> 'a option
(** [find_opt p l] is [Some (find p l)], or [None] if there is none. *)

val find_index : ('a -> bool) -> 'a list -> int option
(** [find_index p l] is the index of the first element that satisfies [p], like {!find_opt}. *)

val find_map : ('a -> 'b option) -> 'a list -> 'b option
(** [find_map f l] is [f a] for the first element [a] of [l] for which it is [Some _]; [None] if there is
    none. Exceptions are as for {!find}. *)

val find_mapi : (int -> 'a -> 'b option) -> 'a list -> 'b option
(** [find_mapi f [a0; ...; an]] is the first [Some _] among the [f i ai], like {!find_map}. *)

(** {1 Sorting} *)

val sort : ('a -> 'a -> int) -> 'a list -> 'a list
(** [sort cmp l] is [l] in increasing order; equal elements keep their order. O(n log n) comparisons. For this
    and the following three see {!Weft.Array.sort}. *)

val stable_sort : ('a -> 'a -> int) -> 'a list -> 'a list
(** The same as {!sort}: O(n log n). *)

val fast_sort : ('a -> 'a -> int) -> 'a list -> 'a list
(** The same as {!sort}: O(n log n). *)

val sort_uniq : ('a -> 'a -> int) -> 'a list -> 'a list
(** [sort_uniq cmp l] is like [sort cmp l], with the first of equal elements only. O(n log n). *)

(** {1:sequential Sequential}

    These run in the calling fiber, from the left, and call a given function at most once per element; they
    are not cancelled in between. The first five, which OCaml has since 5.3 and 5.4, are Weft's; the others
    are OCaml's own functions, and so are their exceptions. *)

val take : int -> 'a list -> 'a list
(** [take n l] is the first [n] elements, or all if there are fewer. O([n]).
    @raise Invalid_argument if [n < 0]. *)

val drop : int -> 'a list -> 'a list
(** [drop n l] is the list without the first [n] elements. O([n]).
    @raise Invalid_argument if [n < 0]. *)

val take_while : ('a -> bool) -> 'a list -> 'a list
(** [take_while p l] is the elements before the first that does not satisfy [p]. O(length of the result). *)

val drop_while : ('a -> bool) -> 'a list -> 'a list
(** [drop_while p l] is [l] from its first element that does not satisfy [p]. O(number of elements left out).
*)

val singleton : 'a -> 'a list
(** [singleton x] is [[x]]. O(1). *)

val length : 'a list -> int
(** [length l] is the number of elements. *)

val compare_lengths : 'a list -> 'b list -> int
(** [compare_lengths l m] compares the lengths, and stops at the end of the shorter list. *)

val compare_length_with : 'a list -> int -> int
(** [compare_length_with l n] compares the length of [l] with [n]. O([n]), however long [l] is. *)

val is_empty : 'a list -> bool
(** [is_empty l] is whether there are no elements. O(1). *)

val cons : 'a -> 'a list -> 'a list
(** [cons x l] is [x :: l]. O(1). *)

val hd : 'a list -> 'a
(** [hd l] is the first element. O(1).
    @raise Failure if there is none. *)

val tl : 'a list -> 'a list
(** [tl l] is the list without its first element. O(1).
    @raise Failure if there is none. *)

val nth : 'a list -> int -> 'a
(** [nth l i] is the element with index [i], from 0.
    @raise Failure if there is none.
    @raise Invalid_argument if the index is negative. *)

val nth_opt : 'a list -> int -> 'a option
(** [nth_opt l i] is [Some (nth l i)], or [None] if there is none.
    @raise Invalid_argument if the index is negative. *)

val rev : 'a list -> 'a list
(** [rev l] is the list in reverse order. *)

val append : 'a list -> 'a list -> 'a list
(** [append l m] is the elements of the first list, then those of the second. O(length of the first). *)

val rev_append : 'a list -> 'a list -> 'a list
(** [rev_append l m] is [append (rev l) m]. O(length of [l]). *)

val concat : 'a list list -> 'a list
(** [concat ls] is the elements of all lists of [ls], in order. O(length of the argument + length of the
    result). *)

val flatten : 'a list list -> 'a list
(** The same as {!concat}: O(length of the argument + length of the result). *)

val equal : ('a -> 'a -> bool) -> 'a list -> 'a list -> bool
(** [equal eq l m] is whether the lists have the same length and [eq] holds for each pair of elements with the
    same index. *)

val compare : ('a -> 'a -> int) -> 'a list -> 'a list -> int
(** [compare cmp l m] compares the lists in lexicographic order by [cmp]; if one list is the beginning of the
    other, the shorter one is less. *)

val fold_left : ('acc -> 'a -> 'acc) -> 'acc -> 'a list -> 'acc
(** [fold_left f init [a0; ...; an]] is [f (... (f (f init a0) a1) ...) an]. In parallel: {!fold}, {!reduce}.
*)

val fold_right : ('a -> 'acc -> 'acc) -> 'a list -> 'acc -> 'acc
(** [fold_right f [a0; ...; an] init] is [f a0 (f a1 (... (f an init) ...))]. *)

val fold_left_map : ('acc -> 'a -> 'acc * 'b) -> 'acc -> 'a list -> 'acc * 'b list
(** [fold_left_map f init l] is {!fold_left} and {!map} at the same time: [f] returns the new accumulator and
    an element of the result. *)

val fold_left2 : ('acc -> 'a -> 'b -> 'acc) -> 'acc -> 'a list -> 'b list -> 'acc
(** [fold_left2 f init l m] is {!fold_left} over two lists.
    @raise Invalid_argument if the lengths differ. *)

val fold_right2 : ('a -> 'b -> 'acc -> 'acc) -> 'a list -> 'b list -> 'acc -> 'acc
(** [fold_right2 f l m init] is {!fold_right} over two lists.
    @raise Invalid_argument if the lengths differ. *)

val memq : 'a -> 'a list -> bool
(** [memq x l] is whether some element is physically equal to [x]. *)

val assoc : 'a -> ('a * 'b) list -> 'b
(** [assoc k l] is the value of the first pair whose key is equal to [k].
    @raise Not_found if there is none. *)

val assoc_opt : 'a -> ('a * 'b) list -> 'b option
(** [assoc_opt k l] is [Some (assoc k l)], or [None] if there is none. *)

val assq : 'a -> ('a * 'b) list -> 'b
(** [assq k l] is {!assoc} by physical equality.
    @raise Not_found if there is none. *)

val assq_opt : 'a -> ('a * 'b) list -> 'b option
(** [assq_opt k l] is {!assoc_opt} by physical equality. *)

val mem_assoc : 'a -> ('a * 'b) list -> bool
(** [mem_assoc k l] is whether the key of some pair is equal to [k]. *)

val mem_assq : 'a -> ('a * 'b) list -> bool
(** [mem_assq k l] is {!mem_assoc} by physical equality. *)

val remove_assoc : 'a -> ('a * 'b) list -> ('a * 'b) list
(** [remove_assoc k l] is [l] without the first pair whose key is equal to [k]. *)

val remove_assq : 'a -> ('a * 'b) list -> ('a * 'b) list
(** [remove_assq k l] is {!remove_assoc} by physical equality. *)

val split : ('a * 'b) list -> 'a list * 'b list
(** [split l] is the list of the first components and the list of the second ones. *)

val combine : 'a list -> 'b list -> ('a * 'b) list
(** [combine l m] is the list of the pairs of elements with the same index.
    @raise Invalid_argument if the lengths differ. *)

val merge : ('a -> 'a -> int) -> 'a list -> 'a list -> 'a list
(** [merge cmp l m] is the sorted list of all elements of two sorted lists; of equal elements those of the
    first list come first. O(length of both) comparisons. *)

val to_seq : 'a list -> 'a Seq.t
(** [to_seq l] is the sequence of the elements. O(1), and O(1) per element that is taken. *)

val of_seq : 'a Seq.t -> 'a list
(** [of_seq s] is the list of the elements of a sequence. *)
