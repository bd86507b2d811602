(** Charts as commands for gnuplot, which contain all data as blocks of numbers. *)

type format = Svg | Png | Pdf

val formats : format list
(** All of them. *)

val suffix : format -> string
(** ["svg"], ["png"], ["pdf"]. *)

val draw : format -> file:string -> Chart.t -> string
(** [draw format ~file chart] are commands that write [chart] to [file], and reset all settings for the next
    chart. *)
