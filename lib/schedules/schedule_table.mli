(** What an explored run did, as a table with a column for each fiber, or a line for each point if there are
    too many. It shows the points within two rows of a choice, and the last sixteen. An arrow says who went
    first instead. *)

val text : Record.t -> string
