(** Replaces [Weft_scheduler.Explored]: the model checker chooses. *)

val on : bool ref
val domains : int
val jump_to : int -> unit
val begins : 'a -> unit
val self : unit -> string
val return_to : string -> unit
val joins : 'a -> unit
val joined : 'a -> 'a -> unit
val wait_as : what:string -> 'a -> unit
val woken : 'a -> 'b -> unit
val yields : 'a -> unit
val makes_way : 'a -> for_:'a -> unit

type 'a choice = Nothing_else | Job of 'a | Time

val switch : what:string -> time:bool -> 'a list -> 'a choice
val next : time:bool -> 'a list -> 'a choice
val look : unit -> unit
