(** Regions of which a few calls took far longer than the others. *)

type t = {
  region : string;
  calls : int;  (** the number of calls that ended; the following fields are about these *)
  few : int;  (** how many took far longer *)
  median : int;  (** ns *)
  longest : int;  (** ns *)
  start : int;  (** of the longest *)
  stop : int;
  extra : int;  (** ns that the few took above the median, summed *)
}

val of_trace : Trace.t -> losses:Losses.t -> blocked:(Trace.span -> int) -> t list
(** The regions that were called twenty times or more, and where at most one call in a hundred took ten times
    the median, three times the 99th percentile (the 90th, below a hundred calls), and 5 ms more than the
    median (30 ms on a busy machine). A call does not count if workers had no processor for most of it, beside
    the ns for which its fiber [blocked] its thread, or if events were lost meanwhile. A region that only
    contains the outlier of another is left out. The most [extra] first. *)

val phrase : t -> string
(** Such as ["1 of 2,000 took 51.0 ms (median 800 us)"]. *)

val findings : Trace.t -> Workers.t array -> said:Finding.t list -> t list -> Finding.t list
(** One finding for each outlier, three at most; none for an outlier whose longest call contains the place of
    a finding of [said] about the same region. *)
