(** Work and span of a program: how well it would scale.

    {[
      let (), profile =
        Weft.Profile.run (fun () -> Weft.Profile.region "sort" (fun () -> Weft.Array.sort compare a))
      in
      Format.printf "%a@." Weft.Profile.pp profile
    ]}

    The {e work} of a computation is the time of all its parts together; its {e span} is the time of the
    longest chain of parts in which each needs the one before. On [p] workers it takes at least [work / p] and
    at least [span]; so [work / span], its {e parallelism}, is the greatest speed-up that any number of
    workers can give. The {e burdened} span is the longest chain if every task and every right side of a fork
    on it is stolen, and each theft has its cost. It gives an estimate of the speed-up that a work-stealing
    scheduler should reach at least.

    [weft scale] profiles whole programs, even if they do not call this module, draws the curve and simulates
    the schedule: see [doc/scaling.md].

    {b What is measured.} A profiled computation runs on one worker, but makes, and counts, every fork that a
    pool of many workers could make: loops are divided down to blocks of a few microseconds. It takes longer
    than usual, by some 0.2 us per fork; that is subtracted ({!field-overhead}). Forks, joins, loops and
    everything made of them are measured exactly; a task made by [Weft.async] begins where it was made, and a
    fiber that awaits it goes on after the later of the two. The same holds if a fiber waits for something
    else: a promise, a lock, a message. But if a fiber need {e not} wait in this run, since a message is there
    already or a lock is free, nothing is recorded. So the span is too small if tasks compete for locks. Time
    that a fiber waits for something outside, such as [Weft.sleep] or [Weft.blocking], is part of the span and
    not of the work. A collection counts as work of the part that it interrupts.

    {b Limits}: [doc/limits.md], section {e Tools}.

    {b Cost} of a profiled run: some 0.2 us per fork, and memory for the recorded graph, in which parts that
    are shorter than the {!field-grain} are put together. {!val-region} is O(d + log n) for d regions around
    it and n in all, and O(1) where nothing is profiled; {!parallelism}, {!upper_bound} and {!lower_bound} are
    O(1), {!pp} and {!limit} O(regions), {!save} O(recorded graph). *)

type figures = {
  work : float;  (** seconds *)
  span : float;  (** seconds *)
  burdened_span : float;  (** seconds *)
}

type region = {
  name : string;
  within : string list;  (** the regions around it, the innermost first *)
  calls : int;
  figures : figures;
      (** of all calls together, with the regions inside; the spans of the calls are added up, even if calls
          might overlap *)
  own_work : float;  (** seconds; without the regions inside *)
  on_path : float;  (** seconds of the whole span that lie in this region, and not in a region inside *)
}
(** A region. Calls that have not ended yet count only for [own_work]. *)

type recorded
(** The recorded graph. *)

type t = {
  total : figures;
  elsewhere : float;  (** seconds of the span that lie in no region *)
  regions : region list;  (** the one with the largest part of the span first *)
  burden : float;  (** seconds: the assumed cost of a steal *)
  overhead : float;  (** seconds that the measuring itself took, which were subtracted *)
  grain : float;  (** seconds: parts of the recorded graph with less work are put together *)
  recorded : recorded;  (** for {!save} *)
}

val run : ?burden:float -> (unit -> 'a) -> 'a * t
(** [run f] runs [f ()] as a task of a new pool that is profiled, and returns its result and the profile.
    [burden] is the cost of a steal in seconds; 5 us unless given. In a task of another pool, the calling
    fiber is suspended. Pools that [f] makes are profiled too. If [f] raises, so does [run], and the profile
    is lost. The first call takes some 10 ms more, for calibration.
    @raise Invalid_argument if [burden] is negative or not a number. *)

val region : string -> (unit -> 'a) -> 'a
(** [region name f] is [f ()]; its work, on any worker, is counted under [name]. Regions may be nested, and
    many tasks may enter them; a region nested in itself counts as one. If nothing is profiled, it costs a few
    nanoseconds. *)

(** {1 Bounds} *)

val parallelism : figures -> float
(** [work / span]: infinite if there is no span, but 1 if there is no work either. *)

val upper_bound : figures -> workers:int -> float
(** The greatest possible speed-up: the lesser of [workers] and {!parallelism} (work law and span law).
    @raise Invalid_argument if [workers < 1]. *)

val lower_bound : figures -> workers:int -> float
(** The speed-up that work stealing should reach at least, by Cilkview's rule of thumb:
    [work / (work / p + 1.7 (1 - 1 / p) burdened_span)]. It is an estimate, not a guarantee.
    @raise Invalid_argument if [workers < 1]. *)

val limit : t -> region option
(** The region with the largest part of the whole span; [None] if a larger part lies in no region. *)

val pp : Format.formatter -> t -> unit
(** Prints a line for the whole, and one for each region. *)

(** {1 Files} *)

val save : string -> t -> unit
(** [save file p] writes [p] and its recorded graph for [weft scale --read file], completely or not at all.
    @raise Sys_error if that is not possible: the message begins with [file]. *)

(**/**)

module Private : sig
  val run_with : now:(unit -> int) -> ?burden:int -> ?grain:int -> (unit -> 'a) -> 'a * t
  (** With a clock of nanoseconds, for tests. *)
end
