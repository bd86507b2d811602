(** Numbers and names for people. *)

val duration : int -> string
(** Of ns, in three digits or more: ["850 ns"], ["12.3 us"], ["120 ms"], ["1.25 s"]. *)

val percent : float -> string
(** Of a share: ["43 %"], ["0.4 %"]. *)

val count : int -> string
(** ["1,234,567"]. *)

val amount : float -> string
(** Of a large number: ["12.3 M"]. *)

val printable : string -> string
(** With control characters and what is not ASCII written as [\x1b] and the like; cut to 60 characters: names
    come from files. *)
