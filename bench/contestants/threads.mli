(** System threads: what OCaml's own libraries offer to parties that wait for each other. Each party of a
    benchmark is a thread; the threads are spread over the domains, in turn.

    The domains are made before the run and end after it, which is not timed: the end of a domain that has had
    threads takes up to 50 ms. One of them stands for the calling one (which only waits), lest the thread that
    ticks in every domain with threads stay there. To make the threads is part of the time. *)

open Weft_bench_harness

val contestant : Contestant.t
(** [threads], which wait for each other by [Stdlib.Mutex] and [Condition]. *)

val event : Contestant.t
(** [event], which pass messages by the channels of OCaml's module [Event]. *)

val run : (unit -> 'a) list -> 'a list
(** [run parties] is the list of their results, in order; it is for use inside these contestants. Each party
    is called in a thread of its own; party [i] is in domain [i mod n] of the [n] domains, number 0 being the
    caller's. It returns when all have; if some have raised, it raises what the first of them in the list did.
*)
