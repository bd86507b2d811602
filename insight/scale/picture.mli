(** The curve as a picture. *)

val svg : ?measured:(int * float) list -> program:string -> Curve.t -> string
(** A file of SVG: numbers of workers to the right, speed-up upwards, both logarithmic; the range between the
    bounds, the simulation as a line, and what was [measured] (seconds in calls, by the number of workers) as
    dots. It needs nothing else: no fonts, no style sheets. *)
