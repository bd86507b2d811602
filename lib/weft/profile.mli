(** Work and span: how well a program would scale.

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
    on it is stolen and pays for that. From it follows the speed-up that a work-stealing scheduler should
    reach at least.

    [weft scale] profiles whole programs, also those that know nothing of it, draws the curve and simulates
    the schedule: see [doc/scaling.md].

    {b What is measured.} A profiled computation runs on one worker, with every fork counted that a pool of
    many workers could make: loops are divided down to blocks of a few microseconds. It takes longer than
    usual, by some 0.2 us per fork; that is subtracted ({!field-overhead}). Forks, joins, loops and everything
    made of them are measured exactly; a task made by {!Weft.async} begins where it was made, and a fiber that
    awaits it goes on after the later of the two. The same holds for everything else that fibers wait for: a
    promise, a lock, a message. But what they need {e not} wait for in this run, such as a message that is
    there already, or a lock that is free, leaves no trace, so that the span is too small where tasks compete
    for locks. Time that a fiber waits for something outside, such as {!Weft.sleep} or {!Weft.blocking}, is
    part of the span and not of the work. A collection counts as work of the part that it interrupts.

    {b Limits}: [doc/limits.md], section {e Tools}.

    {b Cost} of a profiled run: some 0.2 us per fork, and memory for the recorded graph, in which parts that
    are shorter than the {!field-grain} are put together. {!val-region}, {!parallelism}, {!upper_bound} and
    {!lower_bound} are O(1), {!pp} and {!limit} O(regions), {!save} O(recorded graph). *)

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
      (** of all calls together, with the regions inside; the spans of the calls are added up, also of those
          that might overlap *)
  own_work : float;  (** seconds; without the regions inside *)
  on_path : float;  (** seconds of the whole span that lie in it, and not in a region inside *)
}
(** Calls that have not ended yet count for nothing but [own_work]. *)

type recorded
(** The recorded graph. *)

type t = {
  total : figures;
  elsewhere : float;  (** seconds of the span that lie in no region *)
  regions : region list;  (** the one with the largest part of the span first *)
  burden : float;  (** seconds: what a steal is taken to cost *)
  overhead : float;  (** seconds that the measuring took within what was measured, and that were subtracted *)
  grain : float;  (** seconds: of the recorded graph, the least work that is told apart *)
  recorded : recorded;  (** for {!save} *)
}

val run : ?burden:float -> (unit -> 'a) -> 'a * t
(** [run f] is [f ()], run as a task of a new pool that is profiled, and what was found. [burden] is what a
    steal costs, in seconds; 5 us unless given. From inside another pool, the calling fiber is suspended.
    Pools that [f] makes are profiled too. If [f] raises, so does [run], and the profile is lost. The first
    call takes some 10 ms more, for calibration.
    @raise Invalid_argument if [burden] is negative or not a number. *)

val region : string -> (unit -> 'a) -> 'a
(** [region name f] is [f ()], and what it does, on whatever worker, is counted under [name]. Regions may lie
    inside each other, and may be entered by many tasks; a region inside itself is one. Where nothing is
    profiled it costs a few nanoseconds. *)

(** {1 Bounds} *)

val parallelism : figures -> float
(** [work / span]: infinite if there is no span, but 1 if there is no work either. *)

val upper_bound : figures -> workers:int -> float
(** The greatest possible speed-up: the lesser of [workers] and {!parallelism} (work law and span law).
    @raise Invalid_argument if [workers < 1]. *)

val lower_bound : figures -> workers:int -> float
(** What work stealing should at least come to, by Cilkview's rule of thumb:
    [work / (work / p + 1.7 (1 - 1 / p) burdened_span)]. It is an estimate, not a guarantee.
    @raise Invalid_argument if [workers < 1]. *)

val limit : t -> region option
(** The region with the largest part of the whole span; [None] if more of it lies in none. *)

val pp : Format.formatter -> t -> unit
(** Prints a line for the whole, and one for each region. *)

(** {1 Files} *)

val save : string -> t -> unit
(** [save file p] writes [p] and its recorded graph for [weft scale --read file], whole or not at all.
    @raise Sys_error if that is not possible: the message begins with [file]. *)

(**/**)

module Private : sig
  val run_with : now:(unit -> int) -> ?burden:int -> ?grain:int -> (unit -> 'a) -> 'a * t
  (** With a clock of nanoseconds, for tests. *)
end
