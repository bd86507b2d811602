(** Stable merge sort in parallel.

    A range is sorted by halves, from the array to a scratch array and back, down to a few elements, which are
    sorted by insertion. Runs that rise or fall already are found from below, and are not moved as long as
    they make longer ones: sorted, equal and reversed input take one comparison per element. The halves are
    forked, and merges divided ({!Merging}), above a share of the whole, and then whenever idle workers have
    emptied the deque; so a hundred elements spread if comparing them takes milliseconds, and a million forks
    little more than a hundred times if it takes nanoseconds.

    If a comparison raises, no more than is running goes on, the leftmost exception of these is raised, and
    the array holds a permutation of its elements: a merge back to the array that fails is undone by copying
    what it read. *)

module Make (R : Runs.S) : sig
  val sort : Merging.t -> R.order -> R.t -> unit
  (** Only inside a pool. *)
end
