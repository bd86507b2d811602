(** What figures of times against something have in common. *)

open Weft_bench_harness

val unit_of : Chart.range list -> float * string
(** [unit_of ranges] is the unit in which seconds up to the greatest of [ranges] read well, and how many of
    them a second has. *)

val range : Row.t -> Chart.range
(** Of its seconds. *)

val contenders : Row.t list -> Row.t list
(** All but the plain programs. *)

val plural : int -> string
(** [plural n] is ["s"] unless [n = 1]. *)

val spread_text : Run.t -> string
(** What points and bars of the run are, in a sentence. *)

val several : ('a -> 'a -> int) -> 'a list -> bool
(** [several compare values] tells whether two of [values] differ. *)

val by_method : Colours.t -> factor:float -> at:(Row.t -> float) -> Row.t list -> Chart.series list
(** [by_method colours ~factor ~at rows] is a series for each method of [rows]: their seconds times [factor],
    at the places [at row]. *)

val flat : from:float -> upto:float -> float -> (float * float) list
(** [flat ~from ~upto y] is a level line. *)
