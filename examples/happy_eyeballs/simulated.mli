(** Endpoints that only pretend: each answers after a while, well or not. *)

type t = { name : string; delay : float;  (** seconds *) succeeds : bool }

exception Refused

val of_string : string -> (t, string) result
(** [of_string "NAME:SECONDS:ok"] answers well after so many seconds, [of_string "NAME:SECONDS:fail"] refuses.
    [Error] says what is wrong. *)

val connect : t -> unit
(** Suspends the calling fiber for the delay.
    @raise Refused if it does not succeed. *)
