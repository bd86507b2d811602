(** Escapes texts that come from a file, for the place where they are inserted; before that, each becomes a
    {!Weft_files.Foreign_text.line}. *)

val html : string -> string
(** [html text] is [text] escaped for an element or a quoted attribute. *)

val gnuplot : string -> string
(** [gnuplot text] is a string constant of gnuplot in single quotes, in which gnuplot expands nothing. *)

val gnuplot_tic : string -> string
(** [gnuplot_tic text] is the same for the label of a tic, which gnuplot reads as a format. *)

val shell : string -> string
(** [shell text] is [text] as one word of a POSIX shell, in quotes if it needs them. *)

val file_name : string -> string
(** [file_name text] is a file name of at most 80 letters, digits, dashes, underscores and single dots; it
    begins with a letter, digit or underscore, and is never empty. Different texts may have the same name: see
    {!distinct}. *)

val distinct : string list -> string list
(** [distinct names] are [names], where repeated ones get numbers ([-2], [-3], ...). No two results differ in
    case alone. *)

val float : float -> string
(** [float x] is [x] with few digits, for people: ["12.3"], ["1,234"], ["0.0042"]. *)

val short : float -> string
(** [short x] is a shorter form, for narrow places: ["12.3k"], ["1.23M"], ["4.5G"]. *)

val seconds : float -> string
(** [seconds s] is a time with its unit: ["12.3 ms"]. *)
