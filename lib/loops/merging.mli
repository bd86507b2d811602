(** The merge of two sorted runs in parallel.

    A merge is divided at the middle element of the longer run and its place in the shorter one (binary
    search): one task gets what comes before, another the rest. As in {!Loop}, a merge longer than a share is
    divided at once, any other when thieves have emptied the worker's deque; the worker polls and looks there
    between blocks that take a few microseconds, or, where nobody could steal, after 512 elements of either
    run. *)

type t = {
  share : int;  (** longer work is divided at once *)
  alone : bool;  (** nobody could steal *)
  mutable block : int;
      (** how many elements of either run are merged before the next poll; racy, and only a hint *)
}

val start : int -> t
(** [start n] is for sorting or merging [n] elements in the current pool. Only inside a pool. *)

val worth_a_fork : t -> int -> bool
(** Whether to give away a part of the work on so many elements now. *)

val is_measured : t -> int -> bool
(** Whether the work on so many elements is to be reported by {!learn}: if it is long, or little is known;
    never where nobody could steal. *)

val learn : t -> int -> ticks:int -> unit
(** [learn t n ~ticks]: the work on [n] elements took [ticks]. *)

module Make (R : Runs.S) : sig
  val copy : R.t -> int -> R.t -> int -> int -> unit
  (** Like {!Runs.S.copy}, but in parallel. *)

  val move_home : R.t -> R.t -> int -> int -> unit
  (** [move_home scratch home first n] copies [n] elements from [first] on to the same places of [home], which
      holds the same elements in another order. If it is stopped, it raises what it is stopped by, and all
      elements have been copied nevertheless. *)

  val merge : t -> R.order -> R.t -> int -> int -> int -> int -> R.t -> int -> unit
  (** [merge t order a left left_end right right_end b k] merges two ranges of [a] (the ends exclusive), which
      may be empty, to [b] from [k] on; the target must not overlap either range. Of equal elements the left
      ones come first. *)
end
