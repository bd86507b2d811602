(** Parallel functions on lists.

    Each function does the same as the one of that name in OCaml's [List], but may make several calls of the
    functions given to it at the same time, in any order, in the calling fiber or in others. It may suspend
    the calling fiber, as {!Weft.parallel_for} does. Once a call has raised, no new group of elements is
    started, and the exception of the leftmost element that ran and raised is raised. The result is in the
    order of the list and does not depend on the schedule.

    The calling fiber copies the list into an array first, and makes the resulting list at the end. On one
    domain, [map] with an empty function takes about twice as long as OCaml's. So if an element takes less
    than some ten nanoseconds, use arrays. No function needs stack space for long lists.

    {b Cost}, for n elements: O(n) steps and words, and one call of the given function per element, unless it
    says otherwise. The calls run in parallel, with spans as in {!Weft.Array}; before and after them, one
    fiber goes through the list: always O(n), even if a search ends early. *)

val init : int -> (int -> 'a) -> 'a list
(** [init n f] is [[f 0; ...; f (n - 1)]].
    @raise Invalid_argument if [n < 0] or [n > Sys.max_array_length]; [f] is not called then. *)

val map : ('a -> 'b) -> 'a list -> 'b list
(** [map f [a0; ...; an]] is [[f a0; ...; f an]]. *)

val mapi : (int -> 'a -> 'b) -> 'a list -> 'b list
(** [mapi f [a0; ...; an]] is [[f 0 a0; ...; f n an]]. *)

val map2 : ('a -> 'b -> 'c) -> 'a list -> 'b list -> 'c list
(** [map2 f [a0; ...; an] [b0; ...; bn]] is [[f a0 b0; ...; f an bn]].
    @raise Invalid_argument if the lengths differ; [f] is not called then. *)

val iter : ('a -> unit) -> 'a list -> unit
(** [iter f [a0; ...; an]] calls [f a0], ..., [f an]. *)

val iteri : (int -> 'a -> unit) -> 'a list -> unit
(** [iteri f [a0; ...; an]] calls [f 0 a0], ..., [f n an]. *)

val filter : ('a -> bool) -> 'a list -> 'a list
(** [filter p l] is the list of the elements of [l] that satisfy [p]. *)

val filter_map : ('a -> 'b option) -> 'a list -> 'b list
(** [filter_map f l] is the list of all [b] such that [f a] is [Some b] for an element [a] of [l]. *)

val partition : ('a -> bool) -> 'a list -> 'a list * 'a list
(** [partition p l] is the elements of [l] that satisfy [p], and those that do not. *)

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

val mem : 'a -> 'a list -> bool
(** [mem x l] is whether some element of [l] is equal to [x], by [compare]. *)

val find : ('a -> bool) -> 'a list -> 'a
(** [find p l] is the first element of [l] that satisfies [p]. Like the sequential search, it raises what [p]
    raises for an earlier element.
    @raise Not_found if there is none. *)

val find_opt : ('a -> bool) -> 'a list -> 'a option
(** [find_opt p l] is [Some (find p l)], or [None] if there is none. *)

val find_map : ('a -> 'b option) -> 'a list -> 'b option
(** [find_map f l] is [f a] for the first element [a] of [l] for which it is [Some _]; [None] if there is
    none. Exceptions are as for {!find}. *)

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
