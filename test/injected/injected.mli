(** Exceptions as signal handlers raise them, at every place where a handler may run. *)

exception Interrupted

val at :
  ?modules:string ->
  ?but:string ->
  ?pause:(unit -> unit) ->
  ?again:int list ->
  int ->
  ((unit -> unit) -> unit) ->
  bool
(** [at k f] is [f start]; from [start ()] on, the [k]th safepoint of the calling thread raises
    {!Interrupted}: allocations, and what else the compiler polls at; and then, for each [n] of [again], the
    [n]th after that. [pause ()] comes before each. None is raised inside of functions whose names contain
    [but], or outside of those whose names contain [modules] (and what they call). Whether so many came. Uses
    a real-time signal, which no other thread of the domain may handle meanwhile.

    Not [Gc.Memprof], whose callbacks may raise too: in OCaml 5.3, it damages the heap when domains start
    while it samples (assertions of the debug runtime fail), and shows call stacks that the collector has
    moved (https://github.com/ocaml/ocaml/pull/14287). *)

val where : unit -> string
(** The last that was interrupted: its number, and the functions that were being called. *)

val at_each : ?most:int -> ?step:int -> (int -> bool) -> unit
(** [at_each attempt] calls [attempt 1], [attempt 2] and so on (or in steps of [step]), until it is [false]:
    it was not interrupted any more. Fails if that is so at once, or not before [most] (20,000). Skips the
    test where this is no release build: there, calls that the code counts on being inlined have safepoints.
*)

val name : int list -> string
(** What tests that are interrupted [again] so are called. *)
