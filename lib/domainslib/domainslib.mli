(** Domainslib 0.5, on Weft's scheduler.

    The types and functions are those of the library domainslib 0.5.2: a program written against it changes
    one word of its [dune] file, [domainslib] to [weft-domainslib], and nothing else. {!page-index} lists what
    differs; programs written against 0.3 or 0.4 find their interface in {!Domainslib_04}.

    Promises and channels are Weft's own, and a task of {!Task} is a task like any other: so a program may
    move to {!Weft} one call at a time.

    {b Cost.} That of the functions of Weft with these names, and some loads to find out where the caller is:
    each function is O(1), unless it says otherwise, and the loops ({!Task.parallel_for},
    {!Task.parallel_for_reduce}, {!Task.parallel_scan}, {!Task.parallel_find}) are O(n) for n iterations.
    {!Task.setup_pool} and {!Task.teardown_pool} take about 0.1 ms per domain that is there;
    {!Task.lookup_pool} is O(pools). *)

(** Tasks, and loops over ranges, in pools of domains. *)
module Task : sig
  type 'a task = unit -> 'a
  (** What is to be computed. *)

  type !'a promise = 'a Weft.promise
  (** The result of a task, perhaps to come. *)

  type pool
  (** Domains that share the work of their tasks. *)

  (** {1 Pools} *)

  val setup_pool : ?name:string -> num_domains:int -> unit -> pool
  (** [setup_pool ~num_domains ()] is a new pool with [num_domains] domains of its own, {e beside} the one
      that calls {!run}: programs pass [n - 1] for [n] processors. Domains beyond what the machine runs are
      made when they are needed, and those that have had nothing to do for some milliseconds end until there
      is work again.

      With [num_domains = 0] the pool is {e empty}: tasks run one at a time, in the domain of whoever calls
      {!run} or {!await}; but those that nobody has awaited when the call returns run afterwards, in a domain
      of their own. Until somebody calls {!run}, {!await} or {!teardown_pool}, tasks that were started from
      outside do not run: [Weft.await] alone waits for them for ever.

      [name] is for {!lookup_pool}. Pools may share a name. A pool has 256 domains at most; where OCaml's
      limit of domains is reached before, it works with those that can be started. Either is said on standard
      error.
      @raise Invalid_argument ["Task.setup_pool: num_domains must be at least 0"] if [num_domains < 0]. *)

  val teardown_pool : pool -> unit
  (** [teardown_pool p] waits until all tasks of [p] have ended, also those that nobody awaits, and then ends
      its domains. Whatever is done with [p] from outside from then on raises [Invalid_argument]. Called by a
      task of [p], it returns at once, and [p] ends when its tasks have. Suspends a task of another pool.
      @raise Invalid_argument ["pool already torn down"], as do the functions below. *)

  val lookup_pool : string -> pool option
  (** [lookup_pool name] is the pool of that name that was set up last and is not torn down. *)

  val get_num_domains : pool -> int
  (** [get_num_domains p] is the number of domains that take part in the work of [p], the one that calls
      {!run} included: one more than was passed as [num_domains], or fewer where {!setup_pool} has said so. *)

  (** {1 Tasks} *)

  val run : pool -> 'a task -> 'a
  (** [run p f] is [f ()], as a task of [p]: the calling thread works in [p] until [f ()] has returned or
      raised. Inside a task of [p] it is [f ()]. A task of another pool is suspended meanwhile. If another
      thread is in [run p] already, the calling one is blocked, and the pool does the work.

      It is needed nowhere: all functions here may be called from anywhere, and enter [p] by themselves. That
      takes a few microseconds, so it pays to enter once for many calls. *)

  val async : pool -> 'a task -> 'a promise
  (** [async p f] starts a task that computes [f ()] in [p], and is a promise of its result. Never waits. In a
      task of [p] it costs some tens of nanoseconds ([weft bench compat]); from outside 0.2 us, or 2 us if a
      domain must be woken. *)

  val await : pool -> 'a promise -> 'a
  (** [await p r] is the result of [r]; if it is an exception, it is raised with the backtrace of its origin.
      A task that has not started is run at once by the caller; else the calling fiber is suspended, and its
      domain goes on with other tasks. Outside pools the calling thread works along in [p]. *)

  (** {1 Loops}

      Ranges include both ends; they are empty if [finish < start]. [chunk_size] is the greatest number of
      iterations that run in a row without a chance for others to take the rest; by default, and if it is not
      positive, the library finds the sizes by itself. All iterations have ended when a loop returns or
      raises. If one raises, no new ones are started, and the exception of the smallest failing index that ran
      is raised. *)

  val parallel_for : ?chunk_size:int -> start:int -> finish:int -> body:(int -> unit) -> pool -> unit
  (** [parallel_for ~start ~finish ~body p] calls [body] with each number from [start] to [finish], in any
      order, several at a time. *)

  val parallel_for_reduce :
    ?chunk_size:int -> start:int -> finish:int -> body:(int -> 'a) -> pool -> ('a -> 'a -> 'a) -> 'a -> 'a
  (** [parallel_for_reduce ~start ~finish ~body p combine init] combines [init] and
      [body start, ..., body finish], in this order, by [combine], which should be associative. How the calls
      are nested depends on [start], [finish] and [chunk_size] alone: the same bits for any number of domains.
  *)

  val parallel_scan : pool -> ('a -> 'a -> 'a) -> 'a array -> 'a array
  (** [parallel_scan p combine a] is the array of which element [i] is [a.(0), ..., a.(i)] combined by
      [combine], which should be associative. *)

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
  (** [send c v] puts [v] into [c]. While [c] is full it waits: a task is suspended, and its domain goes on
      with others; outside pools the thread is blocked. *)

  val send_poll : 'a t -> 'a -> bool
  (** [send_poll c v] sends [v] if that needs no waiting, and tells whether it did. *)

  val recv : 'a t -> 'a
  (** [recv c] takes the eldest message out of [c]. Waits, like {!send}, while there is none. *)

  val recv_poll : 'a t -> 'a option
  (** [recv_poll c] takes the eldest message out of [c], if there is one. *)
end
