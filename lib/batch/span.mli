(** What a batch took: for tracers and profilers. *)

type t = {
  structure : int;  (** numbered in the order in which structures were made, from 1 *)
  size : int;  (** operations *)
  parallel : bool;  (** given to the structure's [run], not applied one by one *)
  began : int;  (** nanoseconds of a monotonic clock *)
  ended : int;
}

val observe : (t -> unit) option -> unit
(** [observe (Some f)] has [f] called after each batch of any structure, by whoever has run it, before its
    callers go on; it must not call that structure. What [f] raises is ignored, but for [Sys.Break],
    [Out_of_memory] and [Stack_overflow]. [None]: nobody is interested, as at first; a batch then costs one
    load more. Operations that are applied in place are in no batch. *)

(**/**)

val is_observed : unit -> bool
val next_structure : unit -> int
val tell : t -> unit
