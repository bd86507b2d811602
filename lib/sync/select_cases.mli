(** One of several operations, whichever can be done first: the implementation of {!Weft.Select}.

    {b The protocol.} A select takes the locks of all its cases, in the order of their numbers. In random
    order, unless asked for that of the list, it looks for a case that can be done at once, and does it. If
    there is none, it makes one waiter, puts an entry for it into the queue of each case, releases the locks
    and awaits the waiter. The operation that serves one of the entries wakes the waiter with what that case
    has won; an operation that comes to another of them finds the waiter closed and turns to the next entry.
    Then the select takes its other entries out of their queues.

    {b Exactly one.} The waiter is closed once. A case that is done at once is done before the select is
    queued anywhere, so nobody else can serve it meanwhile; a case that is served later is served by the one
    that woke the waiter. Two selects that could serve each other on the same channels cannot miss each other:
    since all locks are held, one of them has queued all its entries before the other looks.

    Cases of structures that have no such lock (promises, mutexes, mvars ...) look again when their entry is
    queued, under a lock of their own. If such a case can be done by then, it is done only if it wakes the
    waiter first; so a select that has won elsewhere meanwhile does not do it. And two selects cannot serve
    each other there: one of them changes the structure, or sees what the other has changed.

    {b No trace.} Entries are taken out of the queues, and callbacks off the promises, however the select
    ends: served, cancelled, timed out or ended by a signal's handler. (Where many wait for one promise, an
    empty entry may stay for a while: {!Weft_scheduler.Job.leave}.) *)

type 'b win = {
  finish : unit -> 'b;  (** what is left to do for the caller: to call the user's function *)
  undo : unit -> unit;  (** undoes it, if the caller has gone *)
}

type entry = {
  add : unit -> unit;  (** with the lock held: queues the entry *)
  remove : unit -> unit;  (** with the lock held: takes it out, if it is queued *)
}

type 'b case = {
  guard : Ordered_mutex.t option;
  held : Fiber_mutex.t option;  (** the caller holds it, but not while it waits *)
  attempt : unit -> 'b win option;  (** with the lock held: does it, if that can be done at once *)
  entry : 'r. 'r win Waiter.t -> ('b win -> 'r win) -> entry;
      (** an entry that wakes the waiter with what the function makes of its own win; not queued yet. If it
          has no [guard], [add] looks again, and wakes the waiter if it can be done at once by then *)
}

type +'b t =
  | Case of 'b case
  | After of float * (unit -> 'b)  (** if nothing else can be done for so many seconds *)
  | Guard of (unit -> 'b t)  (** made anew for each select *)

val recv : 'a Channel.t -> ('a -> 'b) -> 'b t
val send : 'a Channel.t -> 'a -> (unit -> 'b) -> 'b t
val await : 'a Job.t -> ('a -> 'b) -> 'b t
val lock : Fiber_mutex.t -> (unit -> 'b) -> 'b t
val put_once : 'a Write_once.t -> ('a -> 'b) -> 'b t
val latch : Latch.t -> (unit -> 'b) -> 'b t
val take : 'a Mvar.t -> ('a -> 'b) -> 'b t
val put : 'a Mvar.t -> 'a -> (unit -> 'b) -> 'b t
val read : 'a Mvar.t -> ('a -> 'b) -> 'b t
val acquire : Fiber_semaphore.t -> (unit -> 'b) -> 'b t
val condition : Fiber_condition.t -> Fiber_mutex.t -> (unit -> 'b) -> 'b t
val always : 'b -> 'b t
val never : 'b t
val wrap : 'a t -> ('a -> 'b) -> 'b t

val poll : what:string -> in_order:bool -> 'b t list -> 'b option
(** Does one of the cases that can be done at once, if any. *)

val choose : what:string -> in_order:bool -> 'b t list -> 'b
(** Does one of the cases, waiting if need be. *)
