(** Targets for Weft: each is a value that says what is read from the rows and how that is judged.

    Values are ratios of medians, or medians of figures, of one interleaved run: rows of different files are
    never compared with each other. *)

type bound = At_most of float | Less_than of float | At_least of float
type reading = Readings.t

type t = {
  name : string;  (** the target in words, without the bound *)
  bound : bound;
  unit_ : string;  (** the unit of the bound and the readings: ["x"], ["us"], ["ns"], ["%"], or [""] *)
  goal : bound option;  (** a further bound, which is not judged *)
  command : string;  (** the command that measures it *)
  speaks_of : string list;
      (** the names of the benchmarks that the target is about, if there are several: all must be measured *)
  readings : Run.t -> reading list;  (** all readings of the target, in one run *)
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
  | Met  (** all benchmarks of the target were measured, and all readings are within the bound *)
  | Partly_measured  (** all readings are within the bound, but some benchmarks were not measured *)
  | Not_met  (** some reading is not within the bound *)
  | Not_measured

val verdicts : verdict list
(** All verdicts, in this order. *)

val verdict_name : verdict -> string
(** ["met"], ["met as far as measured"], ["not met"], ["not measured"]. *)

type judged = {
  target : t;
  readings : reading list;
      (** from all runs, the worst first; readings in doubt are at the end and do not count *)
  unmeasured : string list;  (** the target's benchmarks without a reading *)
  verdict : verdict;
}

val judge : Run.t list -> t -> judged
(** [judge runs target] judges [target] by its readings from [runs]. *)

val tally : judged list -> string
(** [tally judged] says how many targets have each verdict: ["30 targets: 12 met, ..."]. *)

val within : bound -> float -> bool
(** [within bound x] tells whether [x] is within [bound]; [nan] is not. *)

(** {1 Text} *)

val bound_text : bound -> unit_:string -> string
(** [bound_text bound ~unit_] is the bound in words: ["at most 4.5x"], ["less than 0.1 %"]. *)

val value_text : float -> unit_:string -> string
(** [value_text x ~unit_] is a number with its unit: ["4.61x"], ["23 us"]; ["none"] if it is infinite. *)

val reading_text : unit_:string -> reading -> string
(** [reading_text ~unit_ reading] is the value, the row that it is from, and why it is in doubt. *)

val coverage_text : judged -> string
(** [coverage_text judged] says how many of the target's benchmarks were measured, and names those that were
    not, at most the first six; [""] if the target has only one benchmark, or nothing was measured. *)
