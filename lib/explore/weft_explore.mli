(** Tests that try many schedules: runs a function again and again, each time with another order of its
    fibers, and shows the order in which it fails.

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

    The function is what [weft explore] runs a whole program as: on one domain, with the library's real
    scheduler, which asks at each fork, each wait, each operation of a lock or a channel and each poll who
    goes on. Time is virtual: [Weft.sleep 3600.] returns at once, and a time-out comes when nothing else is
    ready. Between two such points a fiber runs alone, so data races on plain references are seen only where a
    point lies between.

    The function must do the same each time that the same fibers go on: it must not depend on the clock, on
    threads or domains of its own, or on what earlier runs have left. [Random] starts each run as it was when
    the search began. If [f] neither ends nor reaches any of these points, [check] does not end either.

    While a function is explored, no other domain or thread may use Weft, and no pool but the default one may
    be open; that one is closed, and opens again when it is next used. In a program that [weft explore] runs,
    the function is called once.

    After CHESS (Musuvathi et al., OSDI 2008) and PCT (Burckhardt et al., ASPLOS 2010). *)

exception Failed of string
(** How the function failed, under which schedule, and how to run that again; several lines. *)

val check : ?schedules:int -> ?seed:int -> ?depth:int -> ?patience:int -> (unit -> unit) -> unit
(** [check f] runs [f] under [schedules] (10,000) schedules: first the one in which the current fiber goes on
    wherever it can, then random ones from [seed] (0) on: walks, where each fiber that is ready has the same
    chance, and by turns priorities with [depth - 1] changes (PCT; [depth] is 3), which find faults that need
    few switches at exact places with a known probability.

    A run fails if [f] raises, deadlocks, or has a task that raises and is not awaited; and by a livelock, if
    at [patience] (20,000) points in a row no fiber begins or is woken: then [f] is cancelled (if it goes on
    all the same, the program ends with a line and exit code 125). The first failure ends the search. It takes
    some ten to a hundred microseconds for a short [f].

    @raise Failed at the first failure, with the shortest schedule that fails alike.
    @raise Invalid_argument
      if called from a task, if a pool is open, or if [schedules], [depth] or [patience] is less than 1. *)

val check_all : ?schedules:int -> ?patience:int -> switches:int -> (unit -> unit) -> bool
(** [check_all ~switches f] runs [f] under all schedules in which at most [switches] times another fiber goes
    on than the first of those that could; but under no more than [schedules] (100,000). Whether these were
    all.

    @raise Failed like {!check}.
    @raise Invalid_argument like {!check}, or if [switches < 0]. *)

val replay : ?patience:int -> string -> (unit -> unit) -> unit
(** [replay schedule f] runs [f] once, under the schedule that {!Failed} has shown; on any machine it does the
    same.

    @raise Failed if it fails.
    @raise Invalid_argument
      like {!check}, if [schedule] is none, or if [f] does not fail and has not come to all of its choices. *)
