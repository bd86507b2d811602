(** The common parts of figures that show times. *)

open Weft_bench_harness

val unit_of : Chart.range list -> float * string
(** [unit_of ranges] is a unit that suits seconds up to the greatest of [ranges], and how many of them a
    second has. *)

val range : Row.t -> Chart.range
(** The range of the row's seconds. *)

val contenders : Row.t list -> Row.t list
(** All rows but those of the plain programs. *)

val plural : int -> string
(** [plural n] is ["s"] unless [n = 1]. *)

val spread_text : Run.t -> string
(** A sentence that explains the points and bars of the run. *)

val several : ('a -> 'a -> int) -> 'a list -> bool
(** [several compare values] tells whether two of [values] differ. *)

val by_method : Colours.t -> factor:float -> at:(Row.t -> float) -> Row.t list -> Chart.series list
(** [by_method colours ~factor ~at rows] are series, one for each method of [rows]: the seconds of the rows
    times [factor], at the places [at row]. *)

val flat : from:float -> upto:float -> float -> (float * float) list
(** [flat ~from ~upto y] is a level line. *)
