(** Calls that block the system thread. Helper threads make them, so that workers go on.

    {b Where helpers live.} A system thread belongs to a domain, and needs that domain's lock to come back
    from a system call. In a worker's domain it would wait up to 50 ms for the worker to give way. So all
    helpers live in a domain of their own, the {e host}: one for all pools. A thread starts in the domain of
    its maker, so the host's first thread makes them. If no domain can be had, the host is a thread of the
    domain of the fiber that needed it, and its helpers live there.

    {b A call} is a request. The fiber queues it and waits. The first of these that can takes it:
    - an idle helper: it gets the request at once;
    - if there are fewer helpers than the limit: the host is woken, or started, and makes a helper for the
      first request in the queue;
    - else the next helper that finishes its call: it takes the first request in the queue.

    So requests are started in the order in which they came. A helper that has been idle for 100 ms ends; when
    none is left, the host ends, since one more domain makes minor collections slower for all.

    {b One lock} guards the queue of requests, the list of idle helpers, their number and the state of the
    host. Threads of the host change these only by {!Weft_platform.Lock.do_soon}, which never waits: a thread
    that waited for the lock could be given it and then wait up to 50 ms for the domain's lock, while workers
    wait for it in turn. So another thread may make the change a little later; the result is put into the
    helper's [order], and its parker is unparked.

    {b Nobody is lost.} A request leaves the queue under the lock: to a helper's [order], and that helper is
    unparked; or because its fiber gives up. While there are requests and fewer helpers than the limit, the
    host's parker holds a token, or the host is looking, or the host is [Wanted] and the thread that made it
    so starts it. The host ends under the lock, when it sees neither requests nor helpers: later requests find
    it absent.

    {b Giving up.} Whoever cancels the fiber looks, under the lock, whether its request is still in the queue.
    If so, it takes the request out, and the fiber raises. If a helper has it already, the cancellation
    changes nothing: the fiber waits for the result, and its next check sees the cancellation.

    {b The program's end.} The host calls the functions of [Domain.at_exit] of its domain and ends; calls that
    go on are not waited for.

    {b Closing a pool} waits for its calls, the queued ones too, as for tasks that run. Meanwhile no fiber of
    the pool is ended ({!Suspended_fibers.hold}), since the result of the call may be what the others wait
    for. *)

val run : (unit -> 'a) -> 'a
(** See [Weft.blocking]. *)

val in_progress : unit -> int
(** The calls of fibers of all pools that are queued or running; a call counts until its fiber runs again. For
    {!Deadlock}. *)

val queued : unit -> int
(** The calls that wait for a helper; about, like {!running}: read without the lock. *)

val running : unit -> int
(** The calls that helpers make at the moment. *)

(** {1 For tests} *)

val limit : unit -> int

val set_limit : int -> unit
(** If there are more helpers now, those beyond the limit end when they have nothing to do. *)

val helpers : unit -> int
(** How many helpers there are, idle ones included. *)

val has_host : unit -> bool
