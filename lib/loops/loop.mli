(** Loops over ranges of integers, in blocks, without a chunk size.

    {b Splitting.} At first [par] halves the range down to ranges of {!Weft_loops.Grain.leaf}, so that
    iterations that take long spread over all workers at once. Each worker first enters the half that contains
    its own place in the range, so that loops that follow each other over the same data find it in the same
    caches. Where what is further left counts more ({!Weft_loops.Early_exit.is_ordered}), the left half always
    comes first. A half that nobody has stolen may be so short, by the time of the iterations so far, that it
    takes no longer than a block ({!Weft_loops.Grain.adapt}). Then the worker runs the first leaf of it and
    takes its time; if that is short too, it runs the rest in small blocks, without forks. So a short loop of
    short iterations makes only as many forks as the tree has levels. A loop inside other loops that have left
    many jobs in this worker's deque does not split at first.

    {b Blocks.} Within a leaf, iterations run in blocks; each block is one call of the body's inner loop. The
    block grows while it takes less than a few microseconds, and shrinks when it takes long. Before each block
    the worker looks at its deque; if thieves have emptied it, the rest of the leaf is split in two.

    {b Waiting.} When the fiber is suspended in a block, the loop is promoted ({!Weft_scheduler.Loops}): the
    rest of its part is shared ({!Rest}). A loop where what is further left counts more is not promoted.

    Splitting when thieves have emptied the deque is lazy binary splitting (Tzannes, Caragea, Barua and
    Vishkin, PPoPP 2010), with blocks measured by time. Alone, it would let coarse iterations wait behind each
    other; halving at first prevents that. *)

val blocks :
  ?chunk_size:int ->
  ?exit:Early_exit.t ->
  ?code:int ->
  who:string ->
  start:int ->
  finish:int ->
  (int -> int -> unit) ->
  unit
(** [blocks ~who ~start ~finish body] calls [body first last] for disjoint ranges [first] to [last] (included)
    that make up [start] to [finish] (included), perhaps at the same time; no call is for an empty range.
    [chunk_size] is the greatest number of iterations of a call, in a pool of several workers. Returns when
    all calls have ended; raises according to [exit] (default: a new one with [Early_exit.All]). [who] is for
    messages, and [code] (default: that of [body]), the code of the user's function, for traces.
    @raise Invalid_argument if [chunk_size < 1]. *)

val block_found : code:int -> start:int -> finish:int -> (int -> int -> unit) -> int
(** Does the same, and is the number of iterations that make a block, as this loop has found; 0 if it has
    found none, or if bodies have waited. *)

val each : (int -> unit) -> int -> int -> unit
(** [each f first last] calls [f] for each index, in order: the inner loop of a body. *)

val equal_blocks : length:int -> start:int -> finish:int -> (int -> int -> unit) -> unit
(** [equal_blocks ~length ~start ~finish body] does what {!blocks} does, in calls for [length] iterations
    each, counted from [start]; the last one may have fewer. In a pool of several workers thieves may take the
    rest after each. [length] is at least 1. *)
