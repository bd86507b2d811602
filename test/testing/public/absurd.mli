(** A table of calls with absurd arguments, and the result that each must have. *)

type row
(** One call of one function, named by its whole path: ["Weft.Chan.bounded"]. *)

val refused : string -> (unit -> 'a) -> row
(** It raises [Invalid_argument], with a message that begins with the function's name and a colon. *)

val fails : string -> (exn -> bool) -> (unit -> 'a) -> row
(** It raises an exception like this one, which the function's documentation names. *)

val right : string -> (unit -> bool) -> row
(** It returns [true]: the call that looks absurd has a defined result. *)

val under : string -> row list -> row list
(** [under path rows] puts [path] and a dot before the names. *)

val check : row list -> unit
(** Makes all calls, and fails the test with all that were wrong. *)

val has_row : string -> row -> bool
(** [has_row name row]: whether it is a call of that function. *)

(** {1 No function is left out} *)

val check_complete : Public_functions.t list -> row list -> (string * string list) list -> unit
(** [check_complete functions rows exceptions] fails the test and names the function: if a function with an
    argument that may be absurd has no row and is not among [exceptions]; if a row or an exception names no
    function; or if a function has both. An exception is a reason with whole names of functions. *)

val each_of : string list -> string list -> string list
(** [each_of modules functions] is the whole names of these functions in each of these modules. *)
