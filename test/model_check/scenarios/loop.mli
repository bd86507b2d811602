(** What [Search] asks of the loops: a scenario runs the blocks, as processes. *)

type blocks = { body : int -> int -> unit; course : Early_exit.t }

val blocks :
  ?chunk_size:int ->
  ?course:Early_exit.t ->
  who:string ->
  start:int ->
  finish:int ->
  (int -> int -> unit) ->
  unit
(** Only inside {!hold}. Goes on when the scenario says that all blocks have ended. *)

val hold : (unit -> 'a) -> blocks * (unit -> 'a)
(** [hold f] calls [f] until it has a loop's blocks to run: these, and the rest of [f]. *)

val run : blocks -> int -> unit
(** [run b i] runs the block of the one index [i], unless the loop has ended before; as [Loop] does. *)
