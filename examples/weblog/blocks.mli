(** Splits input into blocks of whole lines, in memory of a fixed size. *)

val limit : int
(** 65,536: a line of that many bytes or more (without its end) is too long. *)

val iter : read:(bytes -> int -> int -> int) -> (string -> unit) -> int
(** [iter ~read f] calls [f] with one block after the other: a non-empty string of at most {!limit} bytes that
    ends with a line end, or with the end of the input. Where the blocks end depends on [read]; together they
    are the input without the lines that are too long. The result is the number of those, which are never held
    in memory.

    [read buffer start length] must behave like {!In_channel.input}: it stores at most [length] bytes at
    [start], and returns how many; 0 is the end. *)
