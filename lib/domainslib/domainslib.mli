(** Domainslib 0.5, on Weft's scheduler.

    The types and functions are those of the library domainslib 0.5.2: to move a program written against it,
    change [domainslib] to [weft-domainslib] in its [dune] file, and nothing else. {!page-index} lists the
    differences. The interface of 0.3 and 0.4 is in {!Domainslib_04}.

    Promises and channels are Weft's own, and a task of {!Task} is an ordinary task of Weft: so a program may
    move to {!Weft} one call at a time.

    {b Cost.} Each function costs as much as the function of Weft with its name, and some loads to find out
    where the caller is: each function is O(1), unless it says otherwise, and the loops ({!Task.parallel_for},
    {!Task.parallel_for_reduce}, {!Task.parallel_scan}, {!Task.parallel_find}) are O(n) for n iterations.
    {!Task.setup_pool} and {!Task.teardown_pool} take about 0.1 ms per domain that they start or end;
    {!Task.lookup_pool} is O(pools). *)

(** Tasks, and loops over ranges, in pools of domains. *)
module Task : sig
  type 'a task = unit -> 'a
  (** The function that a task computes. *)

  type !'a promise = 'a Weft.promise
  (** The result of a task, which may come later. *)

  type pool
  (** Domains that share the work of their tasks. *)

  (** {1 Pools} *)

  val setup_pool : ?name:string -> num_domains:int -> unit -> pool
  (** [setup_pool ~num_domains ()] is a new pool with [num_domains] domains of its own, {e beside} the one
      that calls {!run}: programs pass [n - 1] for [n] processors. If there are more domains than processors,
      the rest are made when they are needed. A domain that has had nothing to do for some collections, or two
      seconds, ends; it is started again when there is work.

      With [num_domains = 0] the pool is {e empty}: tasks run one at a time, in the domain that calls {!run}
      or {!await}; but tasks that nobody has awaited when the call returns run afterwards, in a domain of
      their own. Tasks that were started from outside do not run until somebody calls {!run}, {!await} or
      {!teardown_pool}: if a program only calls [Weft.await], it waits for them for ever.

      [name] is for {!lookup_pool}. Pools may share a name. A pool has 256 domains at most; if OCaml's limit
      of domains is reached before, it works with those that can be started. In both cases a line on standard
      error says so.
      @raise Invalid_argument ["Task.setup_pool: num_domains must be at least 0"] if [num_domains < 0]. *)

  val teardown_pool : pool -> unit
  (** [teardown_pool p] waits until all tasks of [p] have ended, also those that nobody awaits, and then ends
      its domains. From then on each call for [p] from outside raises [Invalid_argument]. If a task of [p]
      calls it, it returns at once, and [p] ends when its tasks have ended. If a task of another pool calls
      it, that task is suspended.
      @raise Invalid_argument ["pool already torn down"], as do the functions below. *)

  val lookup_pool : string -> pool option
  (** [lookup_pool name] is the pool of that name that was set up last and is not torn down. *)

  val get_num_domains : pool -> int
  (** [get_num_domains p] is the number of domains that take part in the work of [p], the one that calls
      {!run} included: one more than was passed as [num_domains], or fewer if {!setup_pool} has printed so. *)

  (** {1 Tasks} *)

  val run : pool -> 'a task -> 'a
  (** [run p f] is [f ()], as a task of [p]: the calling thread works in [p] until [f ()] has returned or
      raised. Inside a task of [p] it is [f ()]. A task of another pool is suspended meanwhile. If another
      thread is in [run p] already, the calling one is blocked, and the pool does the work.

      A program need not call it: all functions here may be called from anywhere, and enter [p] by themselves.
      That takes a few microseconds, so it pays to enter once for many calls. *)

  val async : pool -> 'a task -> 'a promise
  (** [async p f] starts a task that computes [f ()] in [p], and is a promise of its result. Never waits. In a
      task of [p] it costs some tens of nanoseconds ([weft bench compat]); from outside 0.2 us, or 2 us if a
      domain must be woken. *)

  val await : pool -> 'a promise -> 'a
  (** [await p r] is the result of [r]; if it is an exception, it is raised with the backtrace of its origin.
      A task that has not started is run at once by the caller; else the calling fiber is suspended, and its
      domain goes on with other tasks. Outside pools the calling thread works in [p] while it waits. *)

  (** {1 Loops}

      Ranges include both ends; they are empty if [finish < start]. [chunk_size] is the greatest number of
      iterations that run in a row before others get a chance to take the rest; by default, and if it is not
      positive, the library chooses the sizes. All iterations have ended when a loop returns or raises. If one
      raises, no new ones are started, and the exception of the smallest failing index that ran is raised. *)

  val parallel_for : ?chunk_size:int -> start:int -> finish:int -> body:(int -> unit) -> pool -> unit
  (** [parallel_for ~start ~finish ~body p] calls [body] with each number from [start] to [finish], in any
      order, several at a time. *)

  val parallel_for_reduce :
    ?chunk_size:int -> start:int -> finish:int -> body:(int -> 'a) -> pool -> ('a -> 'a -> 'a) -> 'a -> 'a
  (** [parallel_for_reduce ~start ~finish ~body p combine init] combines [init] and
      [body start, ..., body finish], in this order, by [combine], which should be associative. The nesting of
      the calls depends on [start], [finish] and [chunk_size] alone: so the result has the same bits for any
      number of domains. *)

  val parallel_scan : pool -> ('a -> 'a -> 'a) -> 'a array -> 'a array
  (** [parallel_scan p combine a] is the array whose element [i] is [a.(0), ..., a.(i)] combined by [combine],
      which should be associative. *)

  val parallel_find :
    ?chunk_size:int -> start:int -> finish:int -> body:(int -> 'a option) -> pool -> 'a option
  (** [parallel_find ~start ~finish ~body p] is [body i] for some [i] for which it is [Some _], or [None] if
      there is none. Once one is found, no new iterations start; an answer wins against an exception. *)
end

(** Channels. Messages come out in the order in which they went in. *)
module Chan : sig
  type !'a t = 'a Weft.Chan.t
  (** A channel for messages. Any number of tasks, threads and domains may send and receive. *)

  val make_bounded : int -> 'a t
  (** [make_bounded n] holds [n] messages at most. With [n = 0], a sender waits until its message is received.
      @raise Invalid_argument ["Chan.make_bounded"] if [n < 0]. *)

  val make_unbounded : unit -> 'a t
  (** [make_unbounded ()] holds any number of messages. *)

  val send : 'a t -> 'a -> unit
  (** [send c v] puts [v] into [c]. While [c] is full, it waits: a task is suspended, and its domain goes on
      with other tasks; outside pools the thread is blocked. *)

  val send_poll : 'a t -> 'a -> bool
  (** [send_poll c v] sends [v] if it need not wait for that, and returns whether it did. *)

  val recv : 'a t -> 'a
  (** [recv c] takes the oldest message out of [c]. Waits, like {!send}, while there is none. *)

  val recv_poll : 'a t -> 'a option
  (** [recv_poll c] takes the oldest message out of [c], if there is one. *)
end
