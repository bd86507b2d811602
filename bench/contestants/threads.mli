(** System threads: what OCaml's own libraries offer for parties that wait for each other. Each party of a
    benchmark is a thread; the threads are spread over the domains, in turn.

    The domains are started before the run and end after it; neither is timed, since a domain that has had
    threads takes up to 50 ms to end. One of them takes the place of the calling domain, which only waits:
    otherwise the tick thread, which OCaml starts in each domain with threads, would stay in the calling
    domain. Starting the threads is part of the time. *)

open Weft_bench_harness

val contestant : Contestant.t
(** [threads]: the parties wait for each other by [Stdlib.Mutex] and [Condition]. *)

val event : Contestant.t
(** [event]: the parties pass messages by the channels of OCaml's module [Event]. *)

val stdlib : Contestant.t
(** [stdlib]: as many parties as domains, so one thread in each; they wait for each other by [Stdlib.Mutex].
*)

val run : (unit -> 'a) list -> 'a list
(** [run parties] is the list of the parties' results, in order; it is for use inside these contestants. Each
    party runs in a thread of its own; party [i] is in domain [i mod n] of the [n] domains, where domain 0 is
    the caller's. [run] returns when all parties have returned; if some have raised, it raises the exception
    of the first of them in the list. *)
