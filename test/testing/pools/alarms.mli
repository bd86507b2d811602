(** Signals whose handler raises, again and again. *)

exception Alarm

val with_alarms : every:float -> ((unit -> unit) -> 'a) -> 'a
(** [with_alarms ~every f] is [f start]. Once [f] has called [start ()], and until it ends, the handler of a
    signal raises {!Alarm} every so many seconds, if a call of Weft works or waits. *)
