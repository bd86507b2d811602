(** Loops over ranges of integers, in blocks, without a chunk size.

    {b Splitting.} At first the range is halved by [par] down to ranges of {!Weft_loops.Grain.leaf}, so that
    iterations that take long spread over all workers at once. Each worker goes first to the half in which its
    own place lies, so that loops that follow each other over the same data find it in the same caches; where
    what is further left counts more ({!Weft_loops.Early_exit.is_ordered}), the left half always comes first.
    A half that nobody has stolen is looked at again when its turn comes: if the iterations so far were so
    short that it should be over within a block ({!Weft_loops.Grain.adapt}), it is not forked ahead of need,
    but runs in small blocks, once its first leaf has shown that this is so. So a short loop of short
    iterations makes only as many forks as there are levels. A loop inside other loops that have left many
    jobs in this worker's deque does not split at first.

    {b Blocks.} Within a leaf, iterations run in blocks of which each is one call of the body's inner loop.
    Their size grows while a block takes less than a few microseconds and shrinks when it takes long. Before
    each block the worker looks at its deque; if thieves have emptied it, what is left of the leaf is split in
    two.

    {b Waiting.} When the fiber is suspended in a block, the loop is promoted ({!Weft_scheduler.Loops}): what
    is left of its part is shared ({!Rest}). Not so where what is further left counts more.

    The second rule is lazy binary splitting (Tzannes, Caragea, Barua and Vishkin, PPoPP 2010), with blocks
    measured by time; the first keeps coarse iterations from waiting behind each other, which the second alone
    would let happen. *)

val blocks :
  ?chunk_size:int ->
  ?course:Early_exit.t ->
  who:string ->
  start:int ->
  finish:int ->
  (int -> int -> unit) ->
  unit
(** [blocks ~who ~start ~finish body] calls [body first last] for disjoint ranges [first] to [last] (included)
    that make up [start] to [finish] (included), perhaps at the same time; no call is for an empty range.
    [chunk_size] is the greatest number of iterations of a call, in a pool of several workers. Returns when
    all calls have ended; raises according to [course] (default: a new one with [Early_exit.All]). [who] is
    for messages.
    @raise Invalid_argument if [chunk_size < 1]. *)
