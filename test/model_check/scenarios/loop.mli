(** The part of the loops that [Search] uses: a scenario runs the blocks, as processes. *)

type blocks = { body : int -> int -> unit; exit : Early_exit.t }

val blocks :
  ?chunk_size:int ->
  ?exit:Early_exit.t ->
  who:string ->
  start:int ->
  finish:int ->
  (int -> int -> unit) ->
  unit
(** Only inside {!hold}. Returns when the scenario says that all blocks have ended. *)

val hold : (unit -> 'a) -> blocks * (unit -> 'a)
(** [hold f] calls [f] until it has blocks of a loop to run: returns these, and the rest of [f]. *)

val run : blocks -> int -> unit
(** [run b i] runs the block of the one index [i], unless the loop has ended before, as [Loop] does. *)
