(** What a figure shows, before anything is drawn. *)

type range = { middle : float;  (** the median *) least : float; greatest : float }
(** One measured value, and how far the runs were apart. *)

type point = { at : float; value : range }

type series = {
  name : string;
  colour : int;  (** the place of the method among all methods: it has one colour in all figures *)
  points : point list;  (** by [at], ascending *)
}

type reference = {
  label : string;
  style : [ `Baseline  (** what others are compared with *) | `Ideal | `Fitted ];
  through : (float * float) list;
}
(** A line that was not measured at its points, or is the same for all. *)

type axis = { title : string;  (** with the unit *) ticks : (float * string) list }
(** An axis whose places the chart has computed itself, say logarithms. *)

type bar = { label : string; colour : int; value : range }
type cell = { from : float; below : float; share : float  (** of all, in percent *) }
type steps = { name : string; colour : int; cells : cell list  (** ascending, apart from each other *) }

type body =
  | Curves of {
      x : axis;
      y : string;  (** the title of the axis, with the unit; logarithmic where the values ask for it *)
      series : series list;
      references : reference list;
      limit : (float * string) option;  (** a vertical line, and what begins there *)
    }
  | Bars of { value : string; bars : bar list; mark : float option  (** a vertical line *) }
      (** lying, the first on top; points on a logarithmic axis where the values ask for it: a bar has a
          length only from 0 on *)
  | Histogram of { x : axis; y : string; steps : steps list }

type t = {
  name : string;  (** for its file, without a suffix; not sanitised *)
  bench : string;  (** the heading that it belongs to *)
  title : string;
  caption : string;  (** what is shown and how to read it, in sentences *)
  command : string;  (** measures again what is shown *)
  body : body;
}

val range_of : float list -> range
(** [range_of values] is their median, least and greatest.
    @raise Invalid_argument if there are none. *)

val scaled : float -> range -> range
(** [scaled factor range], with [factor > 0]. *)

val spread : range list -> float
(** [spread ranges] is the greatest value over the least, those not above 0 left out; 1 if none is left. *)

val logarithmic : worth:float -> range list -> bool
(** [logarithmic ~worth ranges] tells whether they ask for a logarithmic axis: all are above 0, and the
    greatest is at least [worth] times the least. *)
