(** Text that somebody else wrote, made fit to be shown: names in traces, results and profiles, names of
    files, command lines. Whatever it holds, it changes nothing but its own place on the screen or the page.
*)

val is_plain : string -> bool
(** [is_plain text] is [line text = text]. *)

val line : string -> string
(** [line text] is [text] in one line. Written in hexadecimal ([\x1b], [\u{202e}]) are control characters and
    the separators of lines, what changes the direction of text or has no width, and bytes that are not UTF-8.
*)

val ascii : string -> string
(** [ascii text] is [line text] with each byte outside ASCII in hexadecimal: as many columns as bytes. *)

val columns : string -> string
(** [columns text] keeps printable ASCII. A tab becomes four spaces, and each other character, or invalid
    sequence, one question mark. *)

val markup : string -> string
(** [markup text] is [line text] for HTML, SVG and XML, as content or within quotes. *)

val cell : string -> string
(** [cell text] is a cell of CSV, quoted where it must be. A text that begins like a formula of a spreadsheet
    ([= + - @], a tab, the end of a line) gets an apostrophe first; so numbers are not to be given to this. *)

val utf_8 : string -> string
(** [utf_8 text] is [text], with U+FFFD for what is not UTF-8: for JSON, which escapes the rest itself. *)

val complain : string -> string -> unit
(** [complain command message] writes ["weft COMMAND: MESSAGE"] to standard error, as one [line]. *)

val replaced : (char -> string option) -> string -> string
(** [replaced by text] is [text] with [s] for each byte [c] for which [by c] is [Some s]: for other languages.
*)
