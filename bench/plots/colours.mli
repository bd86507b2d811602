(** One colour for each method, in all figures. *)

type t

val of_runs : Run.t list -> t
(** [of_runs runs] are colours for the methods of [runs]: Weft's first, in the order in which they come. *)

val of_method : t -> string -> int
(** [of_method colours method_] is the number of [method_]. *)
