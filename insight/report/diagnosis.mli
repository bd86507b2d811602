(** Finds out what the figures mean, and what to do. *)

val diagnose :
  Trace.t ->
  Workers.t array ->
  losses:Losses.t ->
  waits:Activity.waits list ->
  collections:Collections.t ->
  Finding.t list
(** The findings: that events were lost, then the others, the most costly first; at most ten. Never empty:
    without other findings, [Balanced] alone, or [No_workers]. *)
