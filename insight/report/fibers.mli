(** Who the fibers of a trace are. *)

type t

val of_trace : Trace.t -> t

val label : t -> int -> string
(** ["fiber 5 `stage 37` (`a.ml:24`)"]: its number, its name if the program gives it one, and the line of its
    function if that is known. *)

val labelled : t -> Event.arguments -> Event.arguments
(** The arguments, in which a fiber is not only a number. *)
