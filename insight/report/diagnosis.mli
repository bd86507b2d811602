(** What the figures mean, and what to do. *)

val diagnose :
  Trace.t -> Workers.t array -> waits:Activity.waits list -> collections:Collections.t -> Finding.t list
(** The dearest first. Never empty: where there is nothing else, [Balanced] alone, or [No_workers]. *)
