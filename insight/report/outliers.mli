(** Regions of which a few calls took far longer than the others. *)

type t = {
  region : string;
  calls : int;  (** that ended, as in the next fields *)
  few : int;  (** how many took far longer *)
  median : int;  (** ns *)
  longest : int;  (** ns *)
  start : int;  (** of the longest *)
  stop : int;
  extra : int;  (** ns that the few took above the median, summed *)
}

val of_trace : Trace.t -> losses:Losses.t -> t list
(** Of regions called twenty times or more: those where at most one call in a hundred took ten times the
    median, three times what 99 of 100 (or 9 of 10, below a hundred calls) took at most, and 5 ms more than
    the median; on a busy machine, 30 ms. Calls count only if it is known what took them so long: not if
    workers had no processor for most of it, nor if events were lost meanwhile. A region that only contains
    the outlier of another is left out. The most [extra] first. *)

val phrase : t -> string
(** Such as ["1 of 2,000 took 51.0 ms (median 800 us)"]. *)

val findings : Trace.t -> Workers.t array -> said:Finding.t list -> t list -> Finding.t list
(** One for each, three at most; none for those whose longest call contains the place of a finding of [said]
    about the same region. *)
