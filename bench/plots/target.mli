(** What Weft is to reach: each target as a value, with what is chosen from the rows and how it is judged.

    Values are ratios of medians, or medians of figures, of one interleaved run: rows of different files are
    never compared with each other. *)

type bound = At_most of float | Less_than of float | At_least of float
type reading = Readings.t

type t = {
  name : string;  (** what is to be reached, in words, without the bound *)
  bound : bound;
  unit_ : string;  (** of the bound and the readings: ["x"], ["us"], ["ns"], ["%"], or [""] *)
  goal : bound option;  (** a further one, not judged *)
  command : string;  (** measures it *)
  speaks_of : string list;
      (** the benchmarks that it speaks of, by name, where these are several: all of them are to be measured
      *)
  readings : Run.t -> reading list;  (** all that the target speaks of, in one run *)
}

val make :
  ?goal:bound ->
  ?unit_:string ->
  ?speaks_of:string list ->
  string ->
  bound ->
  string ->
  (Run.t -> reading list) ->
  t
(** [make name bound command readings] is a target. The unit is ["x"], unless given. *)

type verdict =
  | Met  (** all that the target speaks of was measured, and is within the bound *)
  | Partly_measured  (** what was measured is; of some benchmarks nothing was *)
  | Not_met  (** something is not within the bound *)
  | Not_measured

val verdicts : verdict list
(** In this order. *)

val verdict_name : verdict -> string
(** ["met"], ["met as far as measured"], ["not met"], ["not measured"]. *)

type judged = {
  target : t;
  readings : reading list;
      (** of all runs, the one furthest from the bound's good side first; those in doubt at the end, which do
          not count *)
  unmeasured : string list;  (** the benchmarks that it speaks of and nothing tells of *)
  verdict : verdict;
}

val judge : Run.t list -> t -> judged
(** [judge runs target]. *)

val tally : judged list -> string
(** [tally judged] says how many there are of each verdict: ["30 targets: 12 met, ..."]. *)

val within : bound -> float -> bool
(** [within bound x] tells whether [x] is; [nan] is not. *)

(** {1 Text} *)

val bound_text : bound -> unit_:string -> string
(** [bound_text bound ~unit_] is it in words: ["at most 4.5x"], ["less than 0.1 %"]. *)

val value_text : float -> unit_:string -> string
(** [value_text x ~unit_] is a number with its unit: ["4.61x"], ["23 us"]; ["none"] if it is infinite. *)

val reading_text : unit_:string -> reading -> string
(** [reading_text ~unit_ reading] is the value, of what it is, and what makes it doubtful. *)

val coverage_text : judged -> string
(** [coverage_text judged] says how many of the benchmarks that the target speaks of were measured, and which
    were not, of many the first; [""] if it speaks of one, or nothing was measured. *)
