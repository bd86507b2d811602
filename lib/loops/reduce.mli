(** Reductions by a tree that depends on the range alone.

    A range is halved down to leaves ({!Weft_loops.Grain.leaves_of_tree}); a leaf is folded from the left, an
    inner node combines its left half with its right half. Timing decides which nodes run in parallel, but not
    what is combined with what. So a sum of floats has the same bits for every number of domains and every
    schedule.

    Splitting is as in {!Loop}: at once down to {!Weft_loops.Grain.leaf}, then whenever thieves have emptied
    the deque: a worker that walks a subtree forks the greatest right half still to come. When its fiber is
    suspended, it forks all of them ({!Weft_scheduler.Loops}). *)

val reduce :
  ?chunk_size:int ->
  ?leaves:(int -> int) ->
  ?element:(int -> 'a) ->
  ?code:int ->
  who:string ->
  start:int ->
  finish:int ->
  fold:(int -> int -> 'a) ->
  ('a -> 'a -> 'a) ->
  'a
(** [reduce ~who ~start ~finish ~fold combine] is the value of the tree whose leaf for [first] to [last]
    (included) is [fold first last]. The range must not be empty. [element], if given, is the value of one
    index, such that [fold] combines the elements from the left: where elements turn out to take long, those
    of a leaf are computed in parallel, and then combined as ever; the first leaf is begun with one element,
    to find out. [code] is that of the user's function which is called once for each index: the reduction is
    {!Short_loop} if that is known to be cheap. [chunk_size] is the greatest length of a leaf; without it,
    that is [leaves] of the number of elements, {!Weft_loops.Grain.leaves_of_tree} by default. If [fold] or
    [combine] raise, no new leaf starts, and the exception of the smallest leaf that ran is raised.
    @raise Invalid_argument if [chunk_size < 1]. *)

val elements :
  code:int -> start:int -> finish:int -> fold:(int -> int -> 'a) -> (int -> 'a) -> ('a -> 'a -> 'a) -> 'a
(** [elements ~code ~start ~finish ~fold element combine] is [reduce ~element ~code]; with less to do before a
    short one begins. *)

val fold_elements : (int -> 'a) -> ('a -> 'a -> 'a) -> int -> int -> 'a
(** [fold_elements element combine first last] combines the elements from [first] to [last] from the left: a
    [fold] for {!reduce}. [last] may be [max_int]. *)
