(** The line numbers in DWARF's section [.debug_line], versions 2 to 5. *)

val read : line:string -> line_str:string -> str:string -> (int -> string -> int -> unit) -> unit
(** [read ~line ~line_str ~str f] calls [f address file number] for each row of the tables in [line]; the
    others are [.debug_line_str] and [.debug_str], or empty. The rows of one function come in the order of
    their addresses. What cannot be read is left out. *)
