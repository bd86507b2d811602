(** Looks at the text of JSON before Yojson parses it, which is recursive: a text of brackets alone would take
    a stack a hundred times as large. *)

type t

val create : unit -> t

val greatest : int
(** The greatest depth: 100. What weft writes has five levels, and Chrome's traces hardly more. *)

val follow : t -> bytes -> int -> int -> (unit, string) result
(** [follow t text at n] looks at the next [n] bytes of the text. [Error] is the reason, in a line: brackets
    (outside of strings) are nested deeper than {!greatest}, or there is what JSON does not have and Yojson
    takes nevertheless: a comment, or a round or pointed bracket. *)
