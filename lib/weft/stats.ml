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

type blocking = { running : int; queued : int }

let blocking () = { running = Blocking.running (); queued = Blocking.queued () }

type pool = {
  name : string;
  domains : int;
  present : int;
  room : int;
  injected : int;
  queued : int;
  suspended : int;
  timers : int;
  waiting : (string * int) list;
  workers : worker array;
}

let pool pool =
  let p = Pool.Private.to_pools pool in
  let waiting = Pools.waiting p in
  {
    name = Pools.name p;
    domains = Pools.domains p;
    present = Pools.present p;
    room = Pools.room p;
    injected = Pools.injected p;
    queued = Pools.queued p;
    suspended = Stdlib.List.length waiting;
    timers = Pools.timers p;
    waiting = Waits.counted waiting;
    workers = Pool.stats pool;
  }

let all () = Stdlib.List.map (fun p -> pool (Pool.Private.of_pools p)) (Pool_state.all ())

let nothing =
  {
    forks = 0;
    jobs = 0;
    steals = 0;
    failed_steals = 0;
    searches = 0;
    late_finds = 0;
    parks = 0;
    wakes = 0;
    idle_wakes = 0;
    suspensions = 0;
    retired = 0;
    returns = 0;
  }

let total p = Stdlib.Array.fold_left Pool.Private.add_stats nothing p.workers

(* --- Prometheus --- *)

let of_workers =
  [
    ("forks", "Jobs made by par, loops and async.", fun w -> w.forks);
    ("jobs", "Jobs taken from a queue and started or resumed.", fun w -> w.jobs);
    ("steals", "Jobs taken from the queue of another worker.", fun w -> w.steals);
    ( "failed_steals",
      "Times that the queues of all other workers were looked at in vain.",
      fun w -> w.failed_steals );
    ("searches", "Searches for work.", fun w -> w.searches);
    ("late_finds", "Searches that found work only by their last look.", fun w -> w.late_finds);
    ("parks", "Times that the worker went to sleep.", fun w -> w.parks);
    ("wakes", "Times that the worker woke another one.", fun w -> w.wakes);
    ("idle_wakes", "Times that the worker was woken and found nothing.", fun w -> w.idle_wakes);
    ("suspensions", "Fibers suspended on the worker.", fun w -> w.suspensions);
    ("retired", "Times that the worker let its domain end.", fun w -> w.retired);
    ("returns", "Times that a domain was started for the worker.", fun w -> w.returns);
  ]

let gauges : (string * string * (pool -> int)) list =
  [
    ("domains", "Domains that take part, the place of an outside caller included.", fun p -> p.domains);
    ("present_domains", "Domains that are there at the moment.", fun p -> p.present);
    ("room_domains", "Domains that may be at work at the moment.", fun p -> p.room);
    ("queued_jobs", "Jobs in the queues.", fun p -> p.queued);
    ("suspended_fibers", "Fibers that wait.", fun p -> p.suspended);
    ("pending_timers", "Time-outs and sleeps that are under way.", fun p -> p.timers);
  ]

(* Label values may hold any character of UTF-8; backslash, double quote and line feed are escaped. *)
let escaped text =
  let b = Buffer.create (String.length text) in
  let rec from i =
    if i < String.length text then begin
      let decoded = String.get_utf_8_uchar text i in
      (match Uchar.utf_decode_uchar decoded with
      | u when Uchar.equal u (Uchar.of_char '\\') -> Buffer.add_string b "\\\\"
      | u when Uchar.equal u (Uchar.of_char '"') -> Buffer.add_string b "\\\""
      | u when Uchar.equal u (Uchar.of_char '\n') -> Buffer.add_string b "\\n"
      | u -> Buffer.add_utf_8_uchar b u);
      from (i + Uchar.utf_decode_length decoded)
    end
  in
  from 0;
  Buffer.contents b

let to_prometheus ?pools () =
  let pools = match pools with Some pools -> pools | None -> all () in
  let b = Buffer.create 4096 in
  let metric name kind help samples =
    Printf.bprintf b "# HELP %s %s\n# TYPE %s %s\n" name help name kind;
    Stdlib.List.iter (fun (labels, value) -> Printf.bprintf b "%s{%s} %d\n" name labels value) samples
  in
  let pool_label p = Printf.sprintf "pool=\"%s\"" (escaped p.name) in
  let each f = Stdlib.List.concat_map f pools in
  let of_worker (name, help, value) =
    let samples p =
      Stdlib.List.mapi
        (fun i w -> (Printf.sprintf "%s,worker=\"%d\"" (pool_label p) i, value w))
        (Stdlib.Array.to_list p.workers)
    in
    metric (Printf.sprintf "weft_%s_total" name) "counter" help (each samples)
  in
  Stdlib.List.iter of_worker of_workers;
  metric "weft_injected_total" "counter" "Jobs put into the queue that all workers share."
    (each (fun p -> [ (pool_label p, p.injected) ]));
  Stdlib.List.iter
    (fun (name, help, value) ->
      metric ("weft_pool_" ^ name) "gauge" help (each (fun p -> [ (pool_label p, value p) ])))
    gauges;
  metric "weft_pool_waiting_fibers" "gauge" "Fibers that wait in an operation."
    (each (fun p ->
         Stdlib.List.map
           (fun (operation, n) ->
             (Printf.sprintf "%s,operation=\"%s\"" (pool_label p) (escaped operation), n))
           p.waiting));
  let now = blocking () in
  metric "weft_blocking_calls" "gauge" "Calls of Weft.blocking, of all pools."
    [ ("state=\"running\"", now.running); ("state=\"queued\"", now.queued) ];
  Buffer.contents b
