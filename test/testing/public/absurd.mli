(** A table of calls with absurd arguments, and what each must come to. *)

type row
(** One call of one function, named by its whole path: ["Weft.Chan.bounded"]. *)

val refused : string -> (unit -> 'a) -> row
(** [Invalid_argument], with a message that begins with the function's name and a colon. *)

val fails : string -> (exn -> bool) -> (unit -> 'a) -> row
(** An exception like this, which the function's documentation names. *)

val right : string -> (unit -> bool) -> row
(** [true]: what looks absurd has an answer. *)

val under : string -> row list -> row list
(** [under path rows] puts [path] and a dot before the names. *)

val check : row list -> unit
(** Makes all calls, and fails the test with all that was wrong. *)

(** {1 No function is left out} *)

val check_complete : Public_functions.t list -> row list -> (string * string list) list -> unit
(** [check_complete functions rows exceptions] fails the test and names the function: if one that has an
    argument that may be absurd has neither a row nor is among [exceptions]; if a row or an exception is of
    what is no function; and if there is both. An exception is a reason with whole names of functions. *)

val each_of : string list -> string list -> string list
(** [each_of modules functions] is the whole names of these functions of each of these modules. *)
