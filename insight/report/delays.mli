(** The table of latencies, and the slowest events. *)

type group = Gc | Scheduler | Program  (** regions, batches, and the events of other programs *)

val groups : group list
val group_name : group -> string

type row = { group : group; name : string; latency : Latency.t }

val table : Trace.t -> row list
(** One row for each name of spans; for locks and channels, that is the call. Sorted by group, then by total
    time, the longest first. Of the spans that ended; of a name of which none did, of all. *)

type slow = {
  group : group;
  name : string;
  start : int;
  duration : int;
  track : int;
  arguments : Event.arguments;
}

val slowest : int -> Trace.t -> group -> slow list
(** [slowest n trace group] are the [n] longest events, the longest first, without searches and sleeps, which
    only say that there was nothing to do. Of nested phases of a collection only the outermost counts. *)
