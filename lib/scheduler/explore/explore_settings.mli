(** What the environment variable [WEFT_EXPLORE] asks for: a seed, or fields between commas. *)

type strategy =
  | First
      (** always the first option: the current fiber goes on, else the one that is ready longest; time passes
          when nothing else can happen *)
  | Random_walk
      (** each fiber with the same probability; whether time passes as readily as a fiber goes on, more
          seldom, or not at all, differs from seed to seed *)
  | Priorities of { depth : int; length : int }
      (** PCT (Burckhardt et al. 2010): fibers have random priorities, the highest runs; at [depth - 1] of the
          first [length] decisions, chosen at random, the current fiber's becomes the lowest (at most at
          100,000) *)

type t = {
  seed : int;
  strategy : strategy;
  timers : bool;  (** time may pass to the next timer while a fiber is ready *)
  replay : string option;  (** a schedule; where it says nothing, the first option is taken *)
  record : string option;  (** a file for all that was chosen *)
  patience : int;  (** points without progress that are a livelock *)
}

val usual : t
(** A random walk from 0 on; with timers; 20,000 points. *)

val usual_length : int

val of_string : string -> (t, string) result
(** ["7"], ["first"], ["7,no-timers"], ["seed=7,depth=3,length=200,record=FILE"],
    ["replay=FILE,patience=1000"]. *)
