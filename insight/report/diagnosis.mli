(** Finds out what the figures mean, and what to do. *)

val diagnose :
  Trace.t -> Workers.t array -> waits:Activity.waits list -> collections:Collections.t -> Finding.t list
(** The findings, the most costly first. Never empty: without other findings, [Balanced] alone, or
    [No_workers]. *)
