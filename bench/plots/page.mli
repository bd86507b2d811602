(** The report: one page of HTML with all that it shows in it. *)

type figure = {
  chart : Chart.t;
  picture : string;  (** the element [svg] *)
  files : string list;  (** where the picture is, beside the page *)
}

val title : string

val render : runs:Run.t list -> judged:Targets.judged list -> figures:figure list -> string
(** [render ~runs ~judged ~figures] is the page: targets; machine and commands; and for each benchmark its
    figures and the table of its rows. It loads nothing from anywhere. *)
