(** Size and times of a batch, for tracers and profilers. *)

type t = {
  structure : int;  (** numbered in the order in which structures were made, from 1 *)
  size : int;  (** operations *)
  parallel : bool;  (** whether it was given to the structure's [run], not applied one by one *)
  began : int;  (** nanoseconds of a monotonic clock *)
  ended : int;
}

val observe : (t -> unit) option -> unit
(** After [observe (Some f)], [f] is called after each batch of any structure, by the task that has run it,
    before the callers of its operations go on; [f] must not call that structure. Exceptions of [f] are
    ignored, except [Sys.Break], [Out_of_memory] and [Stack_overflow]. [observe None] ends that; nothing is
    observed at first, and then a batch costs one load more. Operations that are applied in place are in no
    batch. *)

(**/**)

val is_observed : unit -> bool
val next_structure : unit -> int
val tell : t -> unit
