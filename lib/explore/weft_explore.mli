(** Runs a function under many schedules, each with another order of its fibers, and shows one under which it
    fails: for tests.

    {[
      let transfer () =
        let balance = ref 100 in
        let withdraw () =
          let b = !balance in
          Weft.yield ();
          balance := b - 10
        in
        ignore (Weft.par withdraw withdraw);
        assert (!balance = 80)

      let () = Weft_explore.check transfer (* raises Failed *)
    ]}

    [f] runs as [weft explore] runs a whole program: on one domain, with the library's own scheduler. At each
    fork, each block of a loop, each operation that may wait, each [Weft.yield] and each [Weft.Cancel.check],
    the search decides which fiber goes on. Between two such points a fiber runs alone: a race on plain memory
    is found only if a point lies between the accesses; put [Weft.Cancel.check ()] there. Time is virtual: it
    jumps to the next timer when no fiber is ready, so [Weft.sleep 3600.] takes no time; and at any point the
    search may let it pass to the next timer first, as if fibers took long to compute. So a time-out may come
    although the message that it waits for is on its way, and an [f] that counts on a sleep being long enough
    fails. Timers fire in the order of their times.

    [f] must make all its state anew in each run, and must do the same whenever the same fibers go on: it must
    not depend on clocks other than Weft's, nor on threads or domains of its own. [Random] starts each run as
    it was when the search began, and is put back in the end. What [f] prints is printed in every run, and
    [exit] in it ends the program. The handler of {!Weft.set_uncaught_handler} is not called meanwhile. Each
    run must end by itself: a loop without any of these points, or one that wakes fibers for ever (around
    [Weft.sleep], say), is not noticed, and there is no time limit.

    [f] runs in a default pool of its own, and may make no other pool; [Weft.run ~domains] in it is a plain
    call. While it is explored, no other domain or thread may use Weft, and no other pool may be open. The
    program's default pool is closed before, when its tasks have ended, and opens again when it is next used.
    In a program that [weft explore] runs, the function is called once.

    After CHESS (Musuvathi et al., OSDI 2008) and PCT (Burckhardt et al., ASPLOS 2010). *)

exception Failed of string
(** How the function failed, under which schedule, and how to run that again; several lines. *)

type summary = {
  schedules : int;  (** how many were tried, the one that failed included *)
  per_second : float;
  pairs : int;
      (** how many different pairs of operations ran one right after the other in two fibers: if more
          schedules no longer raise this number, more of their kind find little *)
}

val check :
  ?schedules:int ->
  ?seed:int ->
  ?depth:int ->
  ?patience:int ->
  ?timers:bool ->
  ?summary:(summary -> unit) ->
  (unit -> unit) ->
  unit
(** [check f] runs [f] under at most [schedules] (10,000) schedules, the same ones for the same [seed] (0). In
    the first, the current fiber goes on wherever it can. After it, two kinds take turns: random walks, where
    each ready fiber is equally likely, and PCT, where fibers have random priorities that change at
    [depth - 1] places ([depth] is 3): it finds a fault that needs [depth] events in a certain order with a
    known probability. In one walk of four time passes as readily as a fiber goes on, in others more seldom,
    in one of four only if no fiber is ready; for PCT it is one more fiber. With [~timers:false] it passes
    only if no fiber is ready, in all of them.

    A run fails if [f] raises, if it deadlocks, if a task raises and nobody awaits it, if a task still waits
    when [f] has returned, or in a livelock: at [patience] (20,000) points in a row no fiber begins or is
    woken (but by time that passes while another is ready). Then each fiber raises an exception at its next
    point; if they go on for [patience] points more, the program says so and exits with code 125. The first
    failure ends the search; Ctrl-C ([Sys.Break]) does, too. A run of a short [f] takes ten to a hundred
    microseconds.

    [summary] is called when the search has ended, before [Failed] is raised; with it, a run takes longer,
    since it is recorded. In a program that [weft explore] runs, it is not called.

    @raise Failed
      at the first failure, with a shrunk schedule: choices are left out, in up to 400 more runs, as long as a
      failure of the same kind remains.
    @raise Invalid_argument
      if called from a task, if a pool is open, or if [schedules], [depth] or [patience] is less than 1. *)

val check_all :
  ?schedules:int ->
  ?patience:int ->
  ?timers:bool ->
  ?summary:(summary -> unit) ->
  choices:int ->
  (unit -> unit) ->
  bool
(** [check_all ~choices f] runs [f] under all schedules that differ from the first one of {!check} in at most
    [choices] choices, those with few before those with more, but under at most [schedules] (100,000). [true]:
    there are no others. [false]: there are, or [weft explore] runs the program.

    @raise Failed like {!check}.
    @raise Invalid_argument like {!check}, or if [choices < 0]. *)

val replay : ?patience:int -> ?timers:bool -> string -> (unit -> unit) -> unit
(** [replay schedule f] runs [f] once, under the schedule that a report of {!Failed} ends with, which also
    shows [patience] and [timers] if they were given; it does the same on any machine. A schedule fits the
    function that it was found with, and the same version of Weft: after a change of either it may mean
    something else.

    @raise Failed if it fails.
    @raise Invalid_argument
      like {!check}, if [schedule] is not a schedule, or if [f] does not fail and some choices of [schedule]
      did not fit. *)

(** {1 Lock-free code} *)

(** [Stdlib.Atomic], where each access is a point: another fiber may go first. Then code that uses atomics is
    explored as it is written: the test compiles the same source beside a file [atomic.ml] that includes this
    module ([doc/testing.md] shows how).

    {[
      module Atomic = Weft_explore.Atomic

      let rec push stack x =
        let was = Atomic.get stack in
        if not (Atomic.compare_and_set stack was (x :: was)) then push stack x
    ]}

    Accesses come one after the other, as OCaml's memory model has it for atomics; between two of them a fiber
    runs alone, so races on fields that are not atomic are not found: ThreadSanitizer finds those. No access
    raises because its fiber is cancelled. A loop that spins until another fiber has written something must
    yield ([Weft.yield]), or it is a livelock, here as in a pool of one domain.

    {b Cost.} Outside of an exploration: a load and a branch more than [Stdlib.Atomic]. *)
module Atomic : sig
  type 'a t = 'a Atomic.t
  (** The same type. *)

  val make : 'a -> 'a t
  (** Of a new one nobody else knows: no point. *)

  val make_contended : 'a -> 'a t
  (** Likewise. *)

  val get : 'a t -> 'a
  val set : 'a t -> 'a -> unit
  val exchange : 'a t -> 'a -> 'a
  val compare_and_set : 'a t -> 'a -> 'a -> bool
  val fetch_and_add : int t -> int -> int
  val incr : int t -> unit
  val decr : int t -> unit
end
