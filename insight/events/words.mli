(** Formats numbers and names for people. *)

val duration : int -> string
(** A time given in ns, with three digits or more: ["850 ns"], ["12.3 us"], ["120 ms"], ["1.25 s"]. *)

val percent : float -> string
(** A share as a percentage: ["43 %"], ["0.4 %"]. *)

val count : int -> string
(** ["1,234,567"]. *)

val plural : int -> string -> string -> string
(** [plural n one many] is such as ["1 event"], ["2,000 events"]. *)

val amount : float -> string
(** A large number in a short form: ["12.3 M"]. *)

val printable : string -> string
(** A name from a file, with control characters and non-ASCII bytes written as escapes such as [\x1b], cut to
    60 characters. *)
