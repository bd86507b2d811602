(** Names that come from a file, made fit for where they go. What is not UTF-8 becomes U+FFFD, control
    characters become blanks. *)

val html : string -> string
(** [html text] is [text] for an element or a quoted attribute. *)

val gnuplot : string -> string
(** [gnuplot text] is a constant of gnuplot, with its single quotes: nothing in it is expanded. *)

val gnuplot_tic : string -> string
(** [gnuplot_tic text] is the same for the label of a tic, which gnuplot takes for a format. *)

val shell : string -> string
(** [shell text] is one word of a POSIX shell: as it is if it needs no quotes. *)

val file_name : string -> string
(** [file_name text] is a file name of at most 80 letters, digits, dashes, underscores and single dots, none
    of them first; never empty. Different texts may have the same: see {!distinct}. *)

val distinct : string list -> string list
(** [distinct names] are the same, numbered ([-2], [-3], ...) where they would be there again. No two of them
    differ in case alone. *)

val float : float -> string
(** [float x] is [x] in few digits, for people: ["12.3"], ["1,234"], ["0.0042"]. *)

val short : float -> string
(** [short x] is the same where there is little room: ["12.3k"], ["1.23M"], ["4.5G"]. *)

val seconds : float -> string
(** [seconds s] is a time with its unit: ["12.3 ms"]. *)
