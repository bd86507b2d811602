(** The colours of figures: those of Okabe and Ito, which people with any kind of colour vision can tell
    apart; and the colours that replace them on a dark page. *)

type t = {
  light : string;  (** such as ["#0072b2"] *)
  dark : string;
  variable : string;  (** its name in style sheets *)
}

val series : t array
(** The colours of measured values. *)

val ink : t
(** For text, axes, and the line of the baseline. *)

val faint : t
(** For lines that were not measured. *)

val grid : t

val all : t list
(** All of these; no two have the same [light]. *)

val of_series : int -> t
(** [of_series colour] is the colour with that number; after the last colour, the first follows again. *)

val point_type : int -> int
(** [point_type colour] is gnuplot's number of the shape for that colour; it changes each time the colours
    begin again. *)

val dash_type : int -> string
(** [dash_type colour] is gnuplot's dash type for its line: solid at first, dashed when the colours begin
    again, then dotted. *)
