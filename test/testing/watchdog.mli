(** One limit for all tests: a test that has not ended after {!limit} seconds hangs.

    Tests wait for states, not for times ({!until}), so a slow machine makes them late and nothing else. The
    watchdog finds a test that waits for ever: it prints, on standard error, which test hangs, what it waits
    for ({!until}, {!during}), what each thread of the process does and how much processor time it has had,
    the same of the child processes ({!Child}), and further reports ({!add_report}; the [Pools] of
    [testing_pools] add what each worker of each pool does, and who waits for what). Then it ends the program,
    and its children, with SIGABRT, which leaves a core file where the system keeps them. If it cannot run,
    {!Last_resort} ends the program a minute later.

    [WEFT_TEST_TIMES] is the path of a file that gets a line for each test that ends: the seconds that it
    took, its program and its name. *)

val limit : float
(** 600 seconds: ten minutes. [WEFT_TEST_LIMIT], in seconds, replaces it, to look at the report itself. *)

val case : string -> (unit -> unit) -> unit Alcotest.test_case
(** [case name test] is [Alcotest.test_case name `Quick test], watched. *)

val guard : string -> (unit -> 'a) -> 'a
(** [guard name f] is [f ()], watched, for programs that are not Alcotest's. *)

val during : (unit -> string) -> (unit -> 'a) -> 'a
(** [during what f] is [f ()]; if the watchdog reports meanwhile, it prints [what ()] too. *)

val until : string -> (unit -> bool) -> unit
(** [until what condition] looks every millisecond whether [condition ()] holds, and returns when it does. It
    blocks the calling thread. If the watchdog reports meanwhile, it prints [what]. *)

val until_undisturbed : string -> (unit -> (unit, string) result) -> unit
(** [until_undisturbed what attempt] calls [attempt] until it returns [Ok ()], for results that any attempt
    may miss by chance: figures that a busy machine spoils, an interleaving that seldom happens. If the
    watchdog reports meanwhile, it prints [what] and the last [Error]. [attempt] itself checks what must hold
    each time. *)

val add_report : (unit -> string) -> unit
(** [add_report f]: from now on reports contain [f ()] too. *)
