(** Input in blocks of whole lines, in memory of a fixed size. *)

val limit : int
(** 65,536: a line of that many bytes or more (without its end) is too long. *)

val iter : read:(bytes -> int -> int -> int) -> (string -> unit) -> int
(** [iter ~read f] calls [f] with one block after the other: a non-empty string of at most {!limit} bytes that
    ends with a line end, or with the end of the input. What the blocks are depends on [read]; together they
    are the input without the lines that are too long, whose number is the result. Those are not even held in
    memory.

    [read buffer start length] is to be like {!In_channel.input}: it puts at most [length] bytes at [start]
    and says how many; 0 is the end. *)
