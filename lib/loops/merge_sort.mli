(** Stable merge sort in parallel.

    A range is sorted by halves, from the array to a scratch array and back, down to a few elements, which are
    sorted by insertion. Runs that rise or fall already are found from below, and are not moved as long as
    they make longer ones: sorted, equal and reversed input take one comparison per element. The halves are
    forked, and merges divided ({!Merging}), above a share of the whole, and then whenever idle workers have
    emptied the deque. So a hundred elements are divided if a comparison takes milliseconds. If it takes
    nanoseconds, a sort of a million makes little more than a hundred forks.

    {b If it is stopped}, by a comparison that raises, a cancellation or anything else, no new step starts,
    the leftmost exception is raised, and the array holds its elements in some order. Between two steps, each
    range of the array holds its own elements. Only a merge or a copy from the scratch array breaks that.
    While it runs, the same range of the scratch array holds all elements. Where such a step is stopped, the
    range is put back from there ({!Runs.S.put_back}). This clean-up looks at no cancellation, never suspends,
    and never raises; it runs when all parts of the step have ended. *)

module Make (R : Runs.S) : sig
  val sort : Merging.t -> R.order -> R.t -> unit
  (** Only inside a pool. *)
end
