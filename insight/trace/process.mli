(** A process that runs already, as the system tells of it. *)

val command_of : int -> string * string list
(** The program and its arguments; ["process PID"], where the system does not tell. *)

val is_dead : int -> bool
(** Whether there is no such process any more, or it has ended and has not been waited for. *)

val find_rings : int -> (string * int, string) result
(** The folder of the rings of this process, and the number in the name of their file: as {!Rings.val-open_}
    takes them. The error is a line for the user. *)
