(** What the pools' workers do, counted at all times, and what waits in the pools at the moment.

    Each worker counts for itself, with plain additions to its own cache lines. A fork pays nothing more,
    since the deque counts forks anyway. So counting costs nothing that could be measured, and cannot be
    turned off. The counters are read while the workers run: each number was true at some moment during the
    call, and never decreases while the pool is open. Numbers of different workers may be of different
    moments.

    {b Cost.} To read them ({!val-pool}, {!all}, {!to_prometheus}) is O(workers + fibers that wait + timers)
    of the pools that are asked about; workers go on meanwhile, but a fiber that begins or ends a wait may
    have to wait for the reader, some 10 ns for each fiber that is listed. {!total} is O(workers),
    {!val-blocking} O(1). *)

type worker = Pool.worker_stats = {
  forks : int;
  jobs : int;
  steals : int;
  failed_steals : int;
  searches : int;
  late_finds : int;
  parks : int;
  wakes : int;
  idle_wakes : int;
  suspensions : int;
  retired : int;
  returns : int;
}
(** See {!Pool.worker_stats}. [forks] is exact: it counts each {!Weft.par} (also inside other functions) and
    each {!Weft.async} on this worker. *)

type blocking = {
  running : int;  (** calls that threads make now *)
  queued : int;  (** calls for which there is no thread yet *)
}
(** The calls of {!Weft.blocking}, of all pools. *)

val blocking : unit -> blocking
(** How many there are at the moment. *)

type pool = {
  name : string;
  domains : int;  (** {!Pool.domains} *)
  present : int;  (** {!Pool.live_domains} *)
  room : int;  (** {!Pool.max_active} *)
  injected : int;
      (** jobs put into the pool's queue for all workers: submitted from outside, resumed from outside, or put
          back by {!Weft.yield} *)
  queued : int;
      (** jobs that are in its queues now, about: those that were claimed by who awaits them count until a
          worker comes upon them *)
  suspended : int;  (** fibers that wait now, but for those that wait for the other side of a fork *)
  timers : int;  (** time-outs and sleeps that are under way *)
  waiting : (string * int) list;
      (** how many fibers wait in each operation, such as [("Weft.Mutex.lock", 3)], the most frequent first *)
  workers : worker array;  (** worker 0 is the place of the outside caller *)
}

val pool : Pool.t -> pool
(** What a pool, open or closed, has done since it was made, and what waits in it. *)

val all : unit -> pool list
(** The open pools, by name. Takes a lock that is held for some microseconds when pools are made or closed. *)

val total : pool -> worker
(** The sums over the workers. *)

val to_prometheus : ?pools:pool list -> unit -> string
(** The counters and gauges of [pools] ({!all} unless given) in the text format of Prometheus (version 0.0.4),
    to be served with the content type [text/plain; version=0.0.4; charset=utf-8]. A metric for each counter:
    [weft_forks_total], [weft_jobs_total], [weft_steals_total], [weft_failed_steals_total],
    [weft_searches_total], [weft_late_finds_total], [weft_parks_total], [weft_wakes_total],
    [weft_idle_wakes_total], [weft_suspensions_total], [weft_retired_total], [weft_returns_total] with the
    labels [pool] and [worker], [weft_injected_total] with [pool]; and as gauges with [pool]
    [weft_pool_domains], [weft_pool_present_domains], [weft_pool_room_domains], [weft_pool_queued_jobs],
    [weft_pool_suspended_fibers], [weft_pool_pending_timers], and with [operation] too
    [weft_pool_waiting_fibers]; and [weft_blocking_calls], of all pools together, with the label [state],
    [running] or [queued]. A pool that is closed is no longer listed. Bytes of a pool's name that are no UTF-8
    become U+FFFD. *)
