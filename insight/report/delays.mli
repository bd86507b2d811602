(** The table of latencies, and the slowest events. *)

type group = Gc | Scheduler | Program  (** regions, batches, and what other programs trace *)

val groups : group list
val group_name : group -> string

type row = { group : group; name : string; latency : Latency.t }

val table : Trace.t -> row list
(** One for each name of spans; those of locks and channels by their call. By group, then by total time, the
    longest first. *)

type slow = {
  group : group;
  name : string;
  start : int;
  duration : int;
  track : int;
  arguments : Event.arguments;
}

val slowest : int -> Trace.t -> group -> slow list
(** [slowest n trace group] are the [n] longest, the longest first; without searches and sleeps, which say
    only that there was nothing to do, and of nested phases of a collection the outermost only. *)
