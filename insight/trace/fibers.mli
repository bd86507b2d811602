(** Who the fibers are: the last [most] of them that were told of, since a program may run for days. One that
    goes on is told of again, and is then known again. *)

type t

val create : ?most:int -> ?line:(int -> string option) -> unit -> t
(** [most] is 200,000 unless given; [line] tells the line of a function's place. *)

val line : t -> int -> string option
(** The same, of places that are not 0. *)

val note : t -> int -> parent:int -> name:string -> place:int -> unit

val suggest : t -> int -> string option -> unit
(** [suggest t fiber line]: it runs a loop with a body on that line, which stands for it if its own function
    is one of Weft's: parts of a loop that were stolen. *)

val all : t -> Event.fiber list
(** All that are known, by number. *)
