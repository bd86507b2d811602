(** Simulated endpoints: each connects or refuses after a delay. *)

type t = { name : string; delay : float;  (** seconds *) succeeds : bool }

exception Refused

val of_string : string -> (t, string) result
(** [of_string "NAME:SECONDS:ok"] connects after so many seconds, [of_string "NAME:SECONDS:fail"] refuses.
    [Error] says what is wrong. *)

val connect : t -> unit
(** Suspends the calling fiber for the delay.
    @raise Refused if the endpoint refuses. *)
