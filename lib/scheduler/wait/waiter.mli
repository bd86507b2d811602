(** One wait of one fiber or thread: locks, channels and the like are made of these.

    A waiter is made open, awaited once by its maker, and closed once: somebody {!wake}s it with a value, or
    it gives up (cancelled, timed out, its pool closed). One compare-and-set decides: either [wake] is [true],
    and the value has been handed over, or it is [false], and the waker must turn to the next in the queue. So
    a waiter that has given up never swallows a wake-up.

    The usual course: under the lock of the structure, see that one must wait, and put a waiter into the
    structure's {!Wait_queue}; release the lock; {!await} with a [leave] that takes the lock and the node out
    of the queue. The waker, under the same lock, takes nodes from the front until one can be woken. *)

type 'a t

val create : unit -> 'a t
(** An open waiter. *)

val wake : 'a t -> 'a -> bool
(** [wake c v] closes [c] with [v] and resumes its awaiter; [false] if [c] is closed already. From any thread;
    never waits or suspends; may be called before [await], and with a {!Weft_platform.Lock} held. *)

type later
(** Waiters that were woken while a lock was held. They are resumed when it is free, since a thread that is
    resumed earlier would run into the lock. *)

type woken

val later : unit -> later
(** None yet. *)

val wake_later : later -> 'a t -> 'a -> bool
(** [wake_later l c v] is [wake c v], except that {!tell} resumes the awaiter of [c]. Under the lock to which
    [l] belongs, as is {!take}. *)

val nobody : woken

val take : later -> woken
(** Those woken since the last time: {!tell} them. *)

val tell : woken -> unit
(** Resumes them, in the order in which they were woken. *)

val give_up : 'a t -> exn -> unit
(** [give_up c e] closes [c], unless it is closed already: the wait ends with [e]. From any thread. *)

val is_open : 'a t -> bool
(** Whether neither has happened yet. *)

val await :
  ?timeout:float ->
  what:string ->
  ?about:Trace_hooks.about ->
  leave:(unit -> unit) ->
  ?lost:('a -> unit) ->
  'a t ->
  'a
(** [await ~what ~leave c] is the value that [c] is woken with. Suspends the calling fiber; outside a pool it
    blocks the calling thread. A cancelled fiber gives up: it calls [leave ()] and raises
    {!Context.Cancelled}. So it does after [timeout] seconds, with {!Context.Timeout}, and if the fiber's pool
    is closed. The waiter itself calls [leave], which must not suspend. A signal's handler that raises in a
    thread outside ends the wait even if [c] was woken with [v]: then [lost v] is called instead of [leave],
    and should hand [v] on. [what] names the operation (["Weft.Chan.recv"]) for reports of deadlocks, and
    [about] the object, for {!Trace_hooks}.

    If the fiber is cancelled already, the wait does not begin. *)
