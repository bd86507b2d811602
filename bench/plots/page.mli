(** The report: one self-contained page of HTML. *)

type figure = {
  chart : Chart.t;
  picture : string;  (** the element [svg] *)
  files : string list;  (** the picture's file, relative to the page *)
}

val title : string

val render : runs:Run.t list -> judged:Targets.judged list -> figures:figure list -> string
(** [render ~runs ~judged ~figures] is the page: targets; machine and commands; and for each benchmark its
    figures and the table of its rows. It loads no other files. *)
