(** Draws the curve. *)

val svg : ?measured:(int * float) list -> program:string -> Curve.t -> string
(** A file of SVG: numbers of workers to the right, speed-up upwards, both logarithmic; the range between the
    bounds, the simulation as a line, and the [measured] values (seconds in calls, by the number of workers)
    as dots. It needs no other files, such as fonts or style sheets. *)
