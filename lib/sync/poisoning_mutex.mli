(** Mutexes that know that a holder failed.

    {!protect} of a {!Weft.Mutex} unlocks it when its function raises, and the next holder sees the data as
    they were left, perhaps half changed. A poisoning mutex remembers the exception: who comes next gets
    {!Poisoned} instead, until somebody has repaired the data.

    {[
      let accounts = Weft.Poisoning_mutex.create ()

      let transfer a b amount =
        Weft.Poisoning_mutex.protect accounts (fun () ->
            a.balance <- a.balance - amount;
            (* If this raises, or the task is cancelled here, the sum is wrong. *)
            audit a b;
            b.balance <- b.balance + amount)
    ]}

    A {!Weft.Mutex} with a field beside it: it waits, is cancelled and is handed over in the same way, and may
    be used from everywhere from where that may be used. As [std::sync::Mutex] of Rust, and the locks of
    [picos_std.sync].

    {b Cost.} That of {!Weft.Mutex}, and a load for each call: each function is O(1), but {!wait} costs what
    the mutex costs besides, as [Weft.Condition.wait] does. *)

type t

exception Poisoned of exn
(** A holder has failed with this exception. *)

val create : unit -> t
(** A mutex that nobody holds, and that is not poisoned. *)

val create_fair : unit -> t
(** The same, first come, first served: see {!Weft.Mutex.create_fair}. *)

val protect : t -> (unit -> 'a) -> 'a
(** [protect m f] is [f ()], called with [m] locked. If [f] raises, be it because its fiber is cancelled, [m]
    is poisoned, then unlocked. Suspends, unless [m] is free.
    @raise Poisoned if [m] is poisoned; then [f] is not called.
    @raise Invalid_argument if the caller holds [m] already, or no longer holds it when [f] has returned. *)

val protect_timeout : float -> t -> (unit -> 'a) -> 'a
(** [protect_timeout seconds m f] is [protect m f], but waits for [m] for at most [seconds].
    @raise Weft.Cancel.Timeout if [m] was not free in time; then [m] is as it was. *)

val repair : t -> (exn option -> 'a) -> 'a
(** [repair m f] is [f failure], called with [m] locked, poisoned or not: [failure] is the exception, if it
    is. When [f] returns, [m] is not poisoned any more; if it raises, [m] is poisoned, by the first exception.
    Otherwise it is like {!protect}. *)

val repair_timeout : float -> t -> (exn option -> 'a) -> 'a
(** [repair_timeout seconds m f] is [repair m f], but waits for [m] for at most [seconds].
    @raise Weft.Cancel.Timeout if [m] was not free in time; then [m] is as it was. *)

val wait : t -> Fiber_condition.t -> unit
(** [wait m c] is [Weft.Condition.wait c (mutex m)], in a function of {!protect} or {!repair}; but if another
    holder has poisoned [m] meanwhile, it raises. When it returns or raises, the caller holds [m] again. An
    exception that then leaves the function of {!protect} poisons [m], as any other. Suspends.
    @raise Poisoned if [m] is poisoned; also in {!repair}, where it was before.
    @raise Invalid_argument if the caller does not hold [m]. *)

val wait_timeout : float -> t -> Fiber_condition.t -> unit
(** [wait_timeout seconds m c] is [wait m c], but waits for a signal for at most [seconds]. If the data are
    right after a time-out, handle it inside the function of {!protect}.
    @raise Weft.Cancel.Timeout after [seconds] without a signal. *)

val failure : t -> (exn * Printexc.raw_backtrace) option
(** [failure m] is what has poisoned [m], with its backtrace; or [None]. Never waits: a holder may be about to
    change it. *)

val mutex : t -> Fiber_mutex.t
(** The mutex inside. Who locks it by itself, or waits with it by {!Weft.Condition.wait}, does not see that
    [m] is poisoned. *)
