(** Calls that block the system thread, made by helper threads, so that workers go on.

    {b Where helpers live.} A system thread belongs to a domain, and needs that domain's lock to come back
    from a system call. In a worker's domain it would wait up to 50 ms for the worker to give way. So all
    helpers live in a domain of their own, the {e host}: one for all pools. A thread starts in the domain of
    its maker; so it is the host's first thread that makes them. If there is no domain to be had, the host is
    a thread of the domain of the fiber that needed it, and its helpers live there.

    {b A call} is a request. The fiber puts it in line and waits; then the first of these that can, takes it:
    - an idle helper: it is assigned the request at once;
    - fewer helpers than the limit: the host is woken, or started, and makes a helper for the first request in
      line;
    - else the next helper that is done with its call: it takes the first in line.

    So requests are started in the order in which they came. A helper that has been idle for 100 ms ends; when
    there is none left, the host ends: a domain more makes minor collections slower for all.

    {b One lock} guards the line of requests, the line of idle helpers, their number and the state of the
    host. Threads of the host change these only by {!Weft_platform.Lock.do_soon}, which never waits: one that
    waited for the lock could be given it and then wait for the domain's lock, up to 50 ms, while workers wait
    for it in turn. What is done may thus be done a little later by another thread; so the answer is put into
    the helper's [order], and its parker tells.

    {b Nobody is lost.} A request leaves the line under the lock: to one helper's [order], and that helper is
    unparked, or because its fiber gives up. While there are requests and fewer helpers than the limit, the
    host's parker holds a token, or the host is looking, or it is [Wanted] and whoever made it so starts it.
    The host ends under the lock, when it sees neither requests nor helpers: who comes later finds it absent.

    {b Giving up.} Whoever cancels the fiber looks, under the lock, whether its request is still in line: then
    it takes it out, and the fiber raises. Else a helper has it, the cancellation changes nothing, and the
    fiber waits for the outcome; its next check sees the cancellation.

    {b The program's end} lets the host go, which calls the functions of [Domain.at_exit] of its domain; the
    calls that go on are not waited for.

    {b Closing a pool} waits for its calls, those in line too, as for tasks that run: meanwhile no fiber of
    the pool is ended ({!Suspended_fibers.hold}), since what the call returns may be all that the others wait
    for. *)

val run : (unit -> 'a) -> 'a
(** See [Weft.blocking]. *)

val in_progress : unit -> int
(** The calls of fibers that are in line or running, of all pools; a call counts until its fiber runs again.
    {!Deadlock} asks. *)

val default_limit : int
(** 512 helpers. *)

val limit_from_env : string option -> (int option, string) result
(** What [WEFT_BLOCKING_THREADS] asks for, like {!Weft_platform.Machine.domains_from_env}; from 1 to 10,000.
*)

(** {1 For tests} *)

val limit : unit -> int

val set_limit : int -> unit
(** If there are more helpers now, those beyond it end when they have nothing to do. *)

val helpers : unit -> int
(** How many helpers there are, idle ones included. *)

val has_host : unit -> bool
