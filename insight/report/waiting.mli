(** Findings about workers that were idle while fibers waited for locks or channels. *)

val findings :
  Causes.stretch ->
  Causes.idle ->
  Causes.part ->
  [ `Lock | `Channel ] ->
  Activity.waits list ->
  (Finding.t * Intervals.t) list
(** [findings stretch idle part kind waits] says for whom of [waits] the workers were idle in [part], and
    when: one finding for each lock (or channel) that cost a twentieth of the time, of the ten that were
    waited for most; and one, perhaps of little cost, for all others together. *)
