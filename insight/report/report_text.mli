(** The report as text, for people. *)

val width : int
(** 80: no line is longer. *)

val of_analysis : Analysis.t -> string
(** The diagnoses first, then the tables. In ASCII; ends with a newline. *)
