(** Values that are computed once, when a task first asks for them: [lazy] for many fibers, threads and
    domains.

    {b Cost.} Each function is O(1); the {!get} that has computed the value resumes those that wait, O(these).
*)

type 'a t

val make : (unit -> 'a) -> 'a t
(** [make f] is a value that [f ()] will compute when it is first asked for. *)

val get : 'a t -> 'a
(** [get o] is the value of [o]. The first fiber that asks computes it. Others that ask meanwhile are
    suspended (threads are held up) until it is there. Afterwards [get] costs a few nanoseconds, and the
    function is no longer kept alive.

    If the function raises, that is its outcome for good: everybody who asks, now or later, gets the same
    exception with the backtrace of its origin. Cancellation is different: if the computing fiber is
    cancelled, by its scope, a timeout around [get], a deadlock, or the end of its pool, that concerns the
    fiber and not the value. The fiber gets that exception, and one of those that wait computes the value
    anew, or else the next one to ask. So a function that may be cancelled should do nothing that must not be
    done twice.

    A waiting fiber that is cancelled leaves without a trace; the computation goes on.
    @raise Invalid_argument
      if the computation of [o] asks for [o] in the same fiber. If the computation waits for a fiber that asks
      for [o], that is a deadlock. *)

val is_done : 'a t -> bool
(** [is_done o] tells whether [o] has its outcome, a value or an exception. Never suspends. *)
