(** Runs a scenario in all interleavings of its processes' steps. *)

exception Violation of string

val violate : ('a, unit, string, 'b) format4 -> 'a
(** For the judgement of a run: reports that a promise is broken. *)

type traces = (string, unit) Hashtbl.t
(** See {!Process.trace}. *)

type report = {
  runs : int;  (** complete interleavings, up to the order of independent steps *)
  discarded : int;  (** those among them in which a process would have had to wait: see {!Process.block} *)
  outcomes : (string * int) list;  (** how the others ended, and how many did in each way; sorted *)
  traces : traces;  (** of all runs, with the discarded ones *)
  seconds : float;
}

type verdict =
  | Holds of report
  | Broken of { why : string; schedule : string list; runs : int }  (** the first run that broke a promise *)

type algorithm = [ `Dpor_source | `Dpor | `Random of int ]
(** The algorithms of dscheck: all interleavings except for the order of independent steps; the same, but all
    accesses to the same cell count as dependent (much slower); so many random ones. *)

val all : ?by:algorithm -> (unit -> unit -> string) -> verdict
(** [all scenario] explores it [by] [`Dpor_source] by default. [scenario ()] makes the cells,
    {!Process.spawn}s the processes, and returns the function that judges a run once all have ended: that
    names the outcome, or {!violate}s. *)
