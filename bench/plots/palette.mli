(** The colours of figures: those of Okabe and Ito, which people with any kind of colour vision tell apart;
    and what becomes of them where the page is dark. *)

type t = {
  light : string;  (** as ["#0072b2"] *)
  dark : string;
  variable : string;  (** its name in style sheets *)
}

val series : t array
(** The colours of what was measured. *)

val ink : t
(** Text, axes, and the line that others are compared with. *)

val faint : t
(** Lines that were not measured. *)

val grid : t

val all : t list
(** All of these; no two have the same [light]. *)

val of_series : int -> t
(** [of_series colour] begins again after the last. *)

val point_type : int -> int
(** [point_type colour] is gnuplot's number of a shape that goes with it; it differs where the colours have
    begun again. *)

val dash_type : int -> string
(** [dash_type colour] is gnuplot's dash type for its line: solid in the first turn of the colours, dashed in
    the second, dotted in the third. *)
