(** The content of a figure, before it is drawn. *)

type range = { middle : float;  (** the median *) least : float; greatest : float }
(** One measured value, and the range of the runs. *)

type point = { at : float; value : range }

type series = {
  name : string;
  colour : int;  (** the number of the method among all methods: it has the same colour in all figures *)
  points : point list;  (** by [at], ascending *)
}

type reference = {
  label : string;
  style : [ `Baseline  (** the value that others are compared with *) | `Ideal | `Fitted ];
  through : (float * float) list;
}
(** A line that was not measured at its points, or that is the same for all methods. *)

type axis = { title : string;  (** the title, with the unit *) ticks : (float * string) list }
(** An axis whose positions the chart has computed itself, such as logarithms. *)

type bar = { label : string; colour : int; value : range }
type cell = { from : float; below : float; share : float  (** the percentage of all *) }
type steps = { name : string; colour : int; cells : cell list  (** ascending and disjoint *) }

type body =
  | Curves of {
      x : axis;
      y : string;
          (** the title of the axis, with the unit; the axis is logarithmic if the values are far apart *)
      series : series list;
      references : reference list;
      limit : (float * string) option;  (** the place of a vertical line, and its label *)
    }
  | Bars of { value : string; bars : bar list; mark : float option  (** a vertical line *) }
      (** horizontal, the first on top. If the values are far apart, points on a logarithmic axis are drawn
          instead, since the length of a bar means something only on an axis that begins at 0 *)
  | Histogram of { x : axis; y : string; steps : steps list }

type t = {
  name : string;  (** the base of the file's name, without a suffix; not sanitised *)
  bench : string;  (** the heading under which it stands *)
  title : string;
  caption : string;  (** sentences that say what is shown and how to read it *)
  command : string;  (** the command that measures again what is shown *)
  body : body;
}

val range_of : float list -> range
(** [range_of values] is their median, least and greatest.
    @raise Invalid_argument if there are none. *)

val scaled : float -> range -> range
(** [scaled factor range] multiplies all values of [range] by [factor > 0]. *)

val spread : range list -> float
(** [spread ranges] is the greatest value divided by the least, without those not above 0; 1 if none is left.
*)

val logarithmic : worth:float -> range list -> bool
(** [logarithmic ~worth ranges] tells whether the axis should be logarithmic: all values are above 0, and the
    greatest is at least [worth] times the least. *)
