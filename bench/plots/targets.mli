(** What Weft is to reach: each target as a value, with what is chosen from the rows and how it is judged.

    Values are ratios of medians, or medians of figures, of one interleaved run: rows of different files are
    never compared with each other. *)

type bound = At_most of float | Less_than of float | At_least of float
type reading = Readings.t = { what : string; value : float; source : string }

type t = {
  name : string;  (** what is to be reached, in words, without the bound *)
  bound : bound;
  unit_ : string;  (** of the bound and the readings: ["x"], ["us"], ["ns"], ["%"], or [""] *)
  goal : bound option;  (** a further one, not judged *)
  command : string;  (** measures it *)
  readings : Run.t -> reading list;  (** all that the target speaks of, in one run *)
}

type verdict = Met | Not_met | Not_measured

type judged = {
  target : t;
  readings : reading list;  (** of all runs, the one furthest from the bound's good side first *)
  verdict : verdict;  (** [Met] if there are readings, and all are within the bound *)
}

val all : t list
(** In the order of the table. *)

val judge : Run.t list -> t -> judged
(** [judge runs target]. *)

val within : bound -> float -> bool
(** [within bound x] tells whether [x] is; [nan] is not. *)

val bound_text : bound -> unit_:string -> string
(** [bound_text bound ~unit_] is it in words: ["at most 4.5x"], ["less than 0.1 %"]. *)

val value_text : float -> unit_:string -> string
(** [value_text x ~unit_] is a number with its unit: ["4.61x"], ["23 us"]. *)
