(** One wait of one fiber or thread: what locks, channels and the like are made of.

    A cell is opened once, awaited once by its maker, and closed once: by whoever {!wake}s it with a value, or
    by giving up (cancelled, timed out, its pool closed). One compare-and-set decides: either [wake] is
    [true], and the value has been handed over, or it is [false], and the waker must turn to the next in line.
    So a wake-up is never swallowed by one who has given up.

    The usual course: under the lock of the structure, see that one must wait, put a cell into the structure's
    {!Wait_queue}; release the lock; {!await} with a [leave] that takes the lock and the place out of the
    line. The waker, under the same lock, takes places from the front until one can be woken. *)

type 'a t

val create : unit -> 'a t
(** An open cell. *)

val wake : 'a t -> 'a -> bool
(** [wake c v] closes [c] with [v] and resumes who awaits it, or is [false] if [c] is closed already. From any
    thread; never waits or suspends; may be called before [await], and with a {!Weft_platform.Lock} held. *)

type later
(** Cells that were woken while a lock was held, and whose waiters are to be told when it is free: a thread
    that is resumed earlier would run into the lock. *)

type woken

val later : unit -> later
(** None yet. *)

val wake_later : later -> 'a t -> 'a -> bool
(** [wake_later l c v] is [wake c v], except that who awaits [c] is resumed by {!tell}. Under the lock to
    which [l] belongs, as {!take}. *)

val nobody : woken

val take : later -> woken
(** Those since the last time: to be {!tell}ed. *)

val tell : woken -> unit
(** Resumes them, in the order in which they were woken. *)

val give_up : 'a t -> exn -> unit
(** [give_up c e] closes [c], unless it is closed already: the wait ends with [e]. From any thread. *)

val is_open : 'a t -> bool
(** Whether neither has happened yet. *)

val await :
  ?timeout:float -> what:string -> ?about:int -> leave:(unit -> unit) -> ?lost:('a -> unit) -> 'a t -> 'a
(** [await ~what ~leave c] is the value that [c] is woken with. Suspends the calling fiber; outside a pool it
    blocks the calling thread. A cancelled fiber gives up: it calls [leave ()] and raises
    {!Context.Cancelled}; likewise after [timeout] seconds with {!Context.Timeout}, or if the fiber's pool is
    closed. [leave] is called by the waiter itself and must not suspend. [lost v] is called instead of [leave]
    if the cell was woken with [v], but what a signal's handler raises in a thread outside ends the wait all
    the same: it should hand [v] on. [what] names the operation (["Weft.Chan.recv"]) for reports of deadlocks,
    and [about] the object, for {!Trace_hooks}.

    If the fiber is cancelled already, the wait does not begin. *)
