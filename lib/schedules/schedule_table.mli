(** What an explored run did, as a table with a column for each fiber, or a line for each point if there are
    too many. Only what lies near to its choices, and the end. An arrow says who went first instead. *)

val text : Record.t -> string
