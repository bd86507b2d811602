(** Findings about workers that were idle while fibers waited for locks or channels. *)

val findings :
  Causes.stretch ->
  Causes.idle ->
  Causes.part ->
  [ `Lock | `Channel ] ->
  Activity.waits list ->
  (Finding.t * Intervals.t) list
(** [findings stretch idle part kind waits] says for which of [waits] the workers were idle in [part], and
    when. Of the ten locks (or channels) that were waited for most, each that cost a twentieth of the time has
    a finding; one more finding, perhaps of little cost, is about all others together. *)

val numbers_of_cause : Activity.waits -> (string * Yojson.Safe.t) list
(** What a finding and the JSON say of the fibers: how many waited, who held the lock, or whom they waited for
    in the end. *)
