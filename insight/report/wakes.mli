(** Who has ended which wait: the beginnings of a trace's arrows. *)

type t

val create : unit -> t
val note : t -> Event.raw -> unit

val of_wait : t -> id:string -> Category.t -> start:int -> stop:int -> Event.arguments
(** What is known of the wait with that id: [by], the fiber that has ended it, and [woken_after_ns], how long
    after its start. Empty, if nothing is known, or that span is no wait. *)
