(** Charts as commands for gnuplot: all data are in them, as blocks of numbers. *)

type format = Svg | Png | Pdf

val formats : format list
(** All of them. *)

val suffix : format -> string
(** ["svg"], ["png"], ["pdf"]. *)

val draw : format -> file:string -> Chart.t -> string
(** [draw format ~file chart] are commands that write [chart] to [file], and leave nothing set for the next.
*)
