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

val check :
  ?schedules:int -> ?seed:int -> ?depth:int -> ?patience:int -> ?timers:bool -> (unit -> unit) -> unit
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

    @raise Failed
      at the first failure, with a shrunk schedule: choices are left out, in up to 400 more runs, as long as a
      failure of the same kind remains.
    @raise Invalid_argument
      if called from a task, if a pool is open, or if [schedules], [depth] or [patience] is less than 1. *)

val check_all : ?schedules:int -> ?patience:int -> ?timers:bool -> choices:int -> (unit -> unit) -> bool
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
