(** [Weft.speculative_for], documented there.

    Deterministic reservations (Blelloch, Fineman, Gibbons and Shun: Internally deterministic parallel
    algorithms can be fast, PPoPP 2012). The lengths of rounds depend on the length of the range and on which
    iterations had to be tried again, never on the number of workers. *)

val run :
  who:string ->
  ?round:int ->
  start:int ->
  finish:int ->
  reserve:(int -> bool) ->
  commit:(int -> bool) ->
  unit ->
  unit
