(** Pools: sets of domains that share work.

    Most programs need none of this: every function of {!Weft} enters {!default} by itself. Several pools may
    exist at once; each has its own domains. A task runs in the pool it was submitted to, with one exception:
    a fiber of another pool that awaits a task that has not started may run it in place.

    A pool of [n] domains has [n - 1] domains of its own and a place for one thread from outside: the first
    caller of {!run} works along in that place while its call lasts. Further callers submit their work and
    block only their own thread.

    A task may block its worker ([Thread.join], [Domain.join], a condition of the standard library) until a
    thread or domain has ended that itself calls Weft, even if this blocks all workers. If a thread outside
    waits for Weft, and a job that is ready has not been started for some 5 ms since no worker is free, the
    pool starts one more domain for it, which ends when it has nothing more to do; and so on.

    {b Limits}: [doc/limits.md], section {e Pools and domains}.

    {b Cost.} Each function is O(1), unless it says otherwise. Functions that only ask for something never
    wait; {!find} and {!current} are O(log (pools)). {!stats} and {!pp_stats} are O(domains), and so are
    {!create}, {!with_pool} and {!close}, which state their times. {!run} costs a few microseconds from
    outside, and next to nothing in a task of the pool. *)

type t
(** A pool. *)

(** {1 Making and finding} *)

val create : ?name:string -> ?domains:int -> ?minor_heap:int -> unit -> t
(** [create ()] is a new pool. [domains] is the number of domains that take part, including the one that calls
    {!run}; its default is {!default_domains}. [name] (default: ["pool-"] and a number) is for {!find} and for
    messages. If the system refuses to make that many domains (OCaml allows 128 in all, unless OCAMLRUNPARAM
    says otherwise), the pool works with those that it could make, and prints a line about that on standard
    error, once. It never has more than 256. Domains beyond {!max_active} are made when they are needed, and
    each domain ends when it has nothing to do: see {!live_domains}. About 0.1 ms per domain that is made.

    [minor_heap] is the size of the minor heaps of the domains that work in the pool, in words. By default it
    grows with the number of domains, since all of them stop whenever one minor heap is full: 256k words (2
    MiB) for one domain (OCaml's default), 1M (8 MiB) for two, 2M (16 MiB) for more. Each domain that works
    takes that much memory; if control groups limit the memory, as in a container, the minor heaps of all
    domains together take at most an eighth of the limit. If the program has chosen a size before, by
    OCAMLRUNPARAM or by [Gc.set] in the domain that makes the pool, the pool's own domains have that size.
    ([Gc.set] to OCaml's own 256k words does not count as a choice; OCAMLRUNPARAM=s=256k does.) A domain that
    enters the pool from outside gets the size at a fork, 10 ms after it has entered; when it leaves the pool,
    it gets back its former size. With [minor_heap], the domain that makes the pool gets the size at once and
    keeps it until it closes the pool; other domains that enter the pool keep their own.
    @raise Invalid_argument
      if [domains < 1] or [minor_heap < 4096], if an open pool has that name, or if it is ["default"]. *)

val with_pool : ?name:string -> ?domains:int -> ?minor_heap:int -> (t -> 'a) -> 'a
(** [with_pool f] is [f p] for a new pool [p], which is closed when [f p] has returned or raised. The
    parameters are those of {!create}.
    @raise Invalid_argument as {!create}. *)

val default : unit -> t
(** [default ()] is the pool used by calls from outside any pool; the first call makes it, named ["default"],
    with {!default_domains} domains. Like all open pools it ends by itself when the program exits. A task that
    is running then stops at its next fork; the program waits for that for one second at most. Tasks that are
    queued or suspended do not run any more. If it has been closed, or is being closed, the call makes another
    one. *)

val default_domains : unit -> int
(** The environment variable [WEFT_DOMAINS] if it is set, else the least of: the processors this process may
    use (affinity), the CPU quota of its control groups and all their ancestors, rounded up, and
    [Domain.recommended_domain_count ()]. At least 1. If [WEFT_DOMAINS] is not a number from 1 to 128, it is
    ignored, with a line on standard error. *)

val current : unit -> t option
(** The pool whose task calls this, if any. *)

val worker_index : unit -> int
(** [worker_index ()] is the number of the worker that runs the calling task, in the task's pool. No two
    threads have the same number in a pool at the same time, so tasks may use it as an index of an array of
    {!domains} elements that they change without a lock. Worker 0 is the outside caller's place. A worker
    keeps its number when its domain ends and is started again, whereas [Domain.self] gives a greater number
    each time.

    {b A task has the number until it suspends}: after {!Weft.par}, {!Weft.await}, a lock or anything else
    that may suspend, the task may be on another worker, and other tasks may have run on this one. So ask
    again then.

    Numbers from [domains p] on are rare. Extra workers have them, which the pool starts if tasks block all
    its workers by means other than Weft's ([Thread.join], OCaml's [Condition]); and so does a thread from
    outside that waits for a pool made inside a task, and works there meanwhile. An array is too short for
    them, a {!Weft.Local.Worker_local} is not. A few nanoseconds; O(1), in an extra worker O(extra workers).
    Never suspends.
    @raise Invalid_argument outside a pool, and in {!Weft.blocking}, whose thread is no worker. *)

val on_worker : start:(unit -> unit) -> stop:(unit -> unit) -> unit
(** [on_worker ~start ~stop] has [start ()] called in each thread that Weft starts from now on to work for a
    pool, whichever, before its first job, and [stop ()] after its last: for C libraries that keep a state for
    each thread. So call it before the first use of a pool. When {!close} has returned, the threads of that
    pool have called [stop]; at the end of the program, domains that still work do not.

    A domain without work ends after some minor collections, or after two seconds, and another begins when
    there is work ({!live_domains}): so both are called often, and [start] should be fast, since a job waits
    for it. A thread from outside that works in the caller's place is the program's own, and calls neither
    (call [start] there yourself); nor do the threads of {!Weft.blocking}. Functions of several calls are
    started in the order of the calls, and stopped in the opposite order.

    Both are called outside of all tasks, and must not call functions of this library that may wait. An
    exception of theirs is printed on standard error, and has no other effect. *)

val find : string -> t option
(** [find name] is the open pool of that name, if any. *)

val name : t -> string
(** The pool's name. *)

val domains : t -> int
(** How many domains take part in the pool's work, the place of an outside caller included. *)

val live_domains : t -> int
(** How many of these domains are running at the moment, the outside caller included. A domain that has had
    nothing to do for 5 ms (80 ms, if new work keeps coming soon) ends once there were three minor collections
    meanwhile; without collections, after 2 s. It is started again when there is work for it, which takes 0.1
    ms or more; its first task begins some 0.3 ms later than on a domain that is running already.

    So the state of a domain does not last: values of [Domain.DLS] are made anew, [Domain.at_exit] runs each
    time, a [Gc.set] in a task is undone. [Weft.Local.Worker_local] lasts as long as the pool. A thread that a
    task makes ([Thread.create]) keeps its domain alive, beside the domain that replaces it: make threads
    outside, or use [Weft.blocking]. *)

val max_active : t -> int
(** How many of these domains may work at the moment: at most as many as there are free processors, plus those
    that are blocked in system calls.

    If more domains work than there are processors, the program is slower, since every minor collection waits
    for the domains that have no processor at that moment. So, however many domains a pool has, at first as
    many work as there are processors for the process, by affinity and by CPU quota. Both are read again every
    second. The quota counts only if [WEFT_DOMAINS] is not set. The environment variable [WEFT_PROCESSORS]
    replaces the number. Every 10 ms the pool checks how much processor time its workers get. If other
    programs take the processors, fewer domains work, and now and then the pool tries one more again. If a
    worker is blocked in a system call for 20 ms, another one works in its place. The same happens if a worker
    has neither forked nor finished a job for 0.2 s, since it may be spinning until another task has done
    something. The caller's place counts as a domain but works only while there is a caller. So in a pool of
    two in which no thread is in {!run} or awaits, two tasks from {!async} that spin until the other one has
    done something wait for ever. *)

val present : t -> int
(** The older name of {!live_domains}. *)

val room : t -> int
(** The older name of {!max_active}. *)

(** {1 Using} *)

val run : t -> (unit -> 'a) -> 'a
(** [run p f] is [f ()], run as a task of [p]; see {!Weft.run}. Called by a task of [p], it is [f ()]; called
    by a task of another pool, it suspends the calling fiber. Returns or raises what [f ()] does.
    @raise Invalid_argument if [p] is closed. *)

type priority =
  | Normal
  | Low
      (** started when the pool has nothing else to do; but one in 256 jobs that a worker takes, and one every
          few milliseconds while all workers compute, is of this kind, so that none waits for ever *)

val async : ?priority:priority -> ?name:string -> t -> (unit -> 'a) -> 'a Promise.t
(** [async p f] starts a task in [p]; see {!Weft.async}. From outside the pool about 0.2 us; 2 us if a worker
    must be woken; 0.1 ms or more if its domain has ended and must be started again (see {!live_domains}), for
    which the caller waits. [priority] ([Normal] unless given) decides only when the task starts. From then on
    the task, and all tasks that it starts, are like any other. While all workers compute, a task that was
    submitted from outside starts after about a millisecond: one worker then takes it at its next fork, or
    between two blocks of a loop. [name] is what traces call its fiber: see {!Weft.Trace.named}.
    @raise Invalid_argument if [p] is closed. *)

val close : t -> unit
(** [close p] ends [p]: it refuses new work from outside at once, waits until all work already submitted, and
    all work that this starts, has ended, and ends the domains. Fibers of [p] that wait for something outside
    (a promise of {!Promise.create} that nobody has resolved, a [Domain_local_await], a descriptor) are
    discontinued with {!Closed}, so that their finalisers run. Exceptions that nobody has awaited are
    reported. A call for a pool that is closed, or being closed, only waits for that end. A calling fiber (of
    another pool) is suspended, and one of [p]'s domains closes [p], or a new domain if it has none; any other
    thread works in the caller's place if that is free, else it is blocked. About 0.1 ms per domain.
    @raise Invalid_argument if called by a task of [p]. *)

exception Closed of string
(** Raised in fibers that still wait when their pool is closed, for something that can no longer happen; the
    string is the pool's name. *)

(** {1 Statistics} *)

type worker_stats = {
  forks : int;  (** jobs made by [par] and [async] in this worker *)
  jobs : int;
      (** jobs taken from a queue and started or resumed (a fork whose job is run in place is not one) *)
  steals : int;  (** jobs taken from another worker's queue *)
  failed_steals : int;
      (** times it looked at the queues of all the others, one after the other, and took nothing: they were
          empty, or other workers were faster. A search consists of up to a hundred of these *)
  searches : int;
      (** times it searched the other workers' queues, for some ten microseconds (some eighty, if it paused
          because the jobs that it had stolen were too short) *)
  late_finds : int;
      (** times such a search found nothing, but the last look before going to sleep found work that had just
          come *)
  parks : int;  (** times it went to sleep for lack of work *)
  wakes : int;  (** times it woke another worker *)
  idle_wakes : int;  (** times it was woken and found nothing: another worker was faster *)
  suspensions : int;  (** fibers that were suspended on it: to join, to await, to yield, for a lock ... *)
  retired : int;  (** times it let its domain end for lack of work *)
  returns : int;  (** times its domain was started because there was work for it *)
}
(** What one worker has done since the pool was made. *)

val stats : t -> worker_stats array
(** [stats p] is what every worker of [p] has done. Worker 0 is the outside caller's place; the work of extra
    workers, which come if tasks block all others, is counted there. The figures are read while the workers
    run: each was true at some moment during the call. Never waits. *)

val pp_stats : Format.formatter -> worker_stats array -> unit
(** Prints a table, a line per worker. *)

(**/**)

(** Not for users. *)
module Private : sig
  val to_pools : t -> Weft_scheduler.Pools.t
  val of_pools : Weft_scheduler.Pools.t -> t
  val add_stats : worker_stats -> worker_stats -> worker_stats
end
