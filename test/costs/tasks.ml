open Testing.Growth
open Table

let each_time name f = each_of name ignore (fun () _ -> f ())

(* --- Weft itself --- *)

let weft =
  let open Weft in
  let loop name f = calls name Linear (fun note n -> ignoring (f note) n) in
  let numbers n =
    let i = ref 0 in
    fun () ->
      incr i;
      if !i > n then None else Some !i
  in
  let none note _ =
    note ();
    None
  in
  let each_of_block note first last =
    for _ = first to last do
      note ()
    done
  in
  let functions note n = List.init n (fun _ () -> note ()) in
  [
    each_time "run" (fun () -> run ignore);
    each_time "par" (fun () -> par ignore ignore);
    each_time "par3" (fun () -> par3 ignore ignore ignore);
    each_time "par4" (fun () -> par4 ignore ignore ignore ignore);
    calls "all" Linear (fun note n -> ignoring all (functions note n));
    calls "all_settled" Linear (fun note n -> ignoring all_settled (functions note n));
    loop "parallel_for" (fun note finish -> parallel_for ~start:1 ~finish ~body:(noting note ignore) ());
    loop "parallel_for_reduce" (fun note finish ->
        parallel_for_reduce ~start:1 ~finish ~body:Fun.id (plus note) 0);
    loop "parallel_for_blocks" (fun note finish ->
        parallel_for_blocks ~start:1 ~finish ~body:(each_of_block note) ());
    loop "parallel_for_reduce_blocks" (fun note finish ->
        parallel_for_reduce_blocks ~start:1 ~finish ~body:(each_of_block note) (fun () () -> ()) ());
    loop "parallel_scan" (fun note n -> parallel_scan (plus note) (Stdlib.Array.make n 1));
    loop "parallel_scan_exclusive" (fun note n ->
        parallel_scan_exclusive (plus note) 0 (Stdlib.Array.make n 1));
    loop "parallel_find" (fun note finish -> parallel_find ~start:1 ~finish ~body:(none note) ());
    loop "parallel_find_first" (fun note finish -> parallel_find_first ~start:1 ~finish ~body:(none note) ());
    loop "speculative_for" (fun note finish ->
        speculative_for ~start:1 ~finish
          ~reserve:(fun _ -> true)
          ~commit:(fun _ ->
            note ();
            true)
          ());
    loop "pipeline" (fun note n ->
        pipeline (numbers n) Stage.(parallel (noting note Fun.id) >>> in_order ignore));
    loop "pipeline_to_list" (fun note n -> pipeline_to_list (numbers n) (Stage.serial (noting note Fun.id)));
    each_time "async" (fun () -> await (async ignore));
    words "async, all at once" Linear (fun n ->
        ignoring (fun n -> Stdlib.List.iter await (Stdlib.List.init n (fun _ -> async ignore))) n);
    each_time "await" (fun () -> await (async ignore));
    each_time "yield" yield;
    words "sleep" Logarithmic (fun n ->
        waiting n (fun () -> sleep 3600.);
        ignoring sleep 1e-6);
    constant "now" now;
    each_time "blocking" (fun () -> blocking ignore);
  ]

let stages =
  let open Weft.Stage in
  [
    constant "Stage.parallel" (fun () -> parallel ignore);
    constant "Stage.serial" (fun () -> serial ignore);
    constant "Stage.in_order" (fun () -> in_order ignore);
    few_of "Stage.( >>> )"
      (fun n -> List.fold_left ( >>> ) (parallel Fun.id) (List.init n (fun _ -> serial Fun.id)))
      (fun s -> s >>> parallel ignore);
  ]

(* --- promises and scopes --- *)

let promises =
  let open Weft.Promise in
  let settled n = List.init n of_value in
  let awaited name settle =
    words name Linear (fun n ->
        let p = create () in
        served n (fun () -> try ignore (await p) with Exit -> ()) (fun () -> ignore (settle p)))
  in
  let failed () =
    let p = create () in
    reject p Exit;
    ignore (peek p);
    p
  in
  let one name settle =
    constant name (fun () ->
        let p = create () in
        ignore (settle p);
        ignore (peek p))
  in
  let of_resolver name settle =
    constant name (fun () ->
        let p, r = make () in
        ignore (settle r);
        ignore (peek p))
  in
  [
    constant "create" create;
    one "resolve" (fun p -> resolve p 0);
    awaited "resolve, what is awaited" (fun p -> resolve p 0);
    one "reject" (fun p -> reject p Exit);
    awaited "reject, what is awaited" (fun p -> reject p Exit);
    one "try_resolve" (fun p -> try_resolve p 0);
    awaited "try_resolve, what is awaited" (fun p -> try_resolve p 0);
    one "try_reject" (fun p -> try_reject p Exit);
    awaited "try_reject, what is awaited" (fun p -> try_reject p Exit);
    constant "of_value" (fun () -> of_value 0);
    constant "await" (fun () -> await (of_value 0));
    constant "await, of a failure" (fun () -> try await (failed ()) with Exit -> ());
    constant "peek" (fun () -> peek (of_value 0));
    constant "is_settled" (fun () -> is_settled (of_value 0));
    each_time "map" (fun () -> await (map succ (of_value 0)));
    each_time "both" (fun () -> await (both (of_value 0) (of_value 1)));
    each_time "bind" (fun () -> await (bind (of_value 0) of_value));
    each_time "await_result" (fun () -> await_result (of_value 0));
    each_of "on_settled" (fun _ -> create ()) (fun p _ -> on_settled p ignore);
    each_time "cancellable" (fun () -> await (cancellable ignore));
    constant "cancel" (fun () -> cancel (cancellable ignore));
    words "cancel, of one that many await" Linear (fun n ->
        let p = cancellable (fun () -> Weft.sleep 3600.) in
        served n (fun () -> try await p with Weft.Cancel.Cancelled _ -> ()) (fun () -> cancel p));
    constant "make" make;
    constant "Resolver.promise" (fun () -> Resolver.promise (snd (make ())));
    of_resolver "Resolver.resolve" (fun r -> Resolver.resolve r ());
    of_resolver "Resolver.reject" (fun r -> Resolver.reject r Exit);
    of_resolver "Resolver.try_resolve" (fun r -> Resolver.try_resolve r ());
    of_resolver "Resolver.try_reject" (fun r -> Resolver.try_reject r Exit);
    of_resolver "Resolver.withdraw" Resolver.withdraw;
    whole "all" settled (fun ps -> await (all ps));
    whole "any" settled (fun ps -> await (any ps));
    whole "any, of open ones" (fun n -> List.init n (fun _ -> create ())) any;
    whole "race" settled (fun ps -> await (race ps));
    whole "race, of open ones" (fun n -> List.init n (fun _ -> create ())) race;
    each_of "race, of one that stays" (fun _ -> create ()) (fun p i -> race [ p; of_value i ]);
  ]

exception Failed of int

let scopes =
  let open Weft.Scope in
  let with_failures n =
    let kept = ref None in
    (try
       run ~on_failure:Keep_going (fun s ->
           kept := Some s;
           for i = 1 to n do
             ignore (async s (fun () -> raise (Failed i)) : unit Weft.promise)
           done)
     with Failed _ -> ());
    Option.get !kept
  in
  [
    each_time "run" (fun () -> run ignore);
    words "run, inside others" Linear (fun n ->
        nested n (fun f -> run (fun _ -> f ())) (fun () -> run ignore));
    words "run, of tasks that fail" Linear_log (ignoring with_failures);
    words "async" Linear
      (ignoring (fun n ->
           run (fun s ->
               for _ = 1 to n do
                 ignore (async s ignore)
               done)));
    words "start" Linear
      (ignoring (fun n ->
           run (fun s ->
               for _ = 1 to n do
                 start s ignore
               done)));
    words "cancel" Linear
      (ignoring (fun n ->
           try
             run (fun s ->
                 for _ = 1 to n do
                   ignore (async s (fun () -> Weft.sleep 3600.))
                 done;
                 Weft.yield ();
                 cancel s;
                 Weft.yield ())
           with Weft.Cancel.Cancelled _ -> ()));
    words "failures" Linear_log (fun n -> ignoring failures (with_failures n));
  ]

(* --- cancellation, limits, values --- *)

let cancels =
  let open Weft.Cancel in
  let within_many name f =
    words name Linear (fun n ->
        let t = create () in
        nested n (fun f -> within t f) f)
  in
  let with_timers name f =
    words name Logarithmic (fun n ->
        waiting n (fun () -> Weft.sleep 3600.);
        ignoring f ())
  in
  let beside name f =
    few_of name
      (fun n ->
        let t = create () in
        waiting n (fun () -> within t (fun () -> Weft.sleep 3600.));
        t)
      f
  in
  [
    constant "create" create;
    constant "cancel" (fun () -> cancel (create ()));
    words "cancel, of calls" Linear (fun n ->
        let t = create () in
        served n
          (fun () -> try within t (fun () -> Weft.sleep 3600.) with Cancelled _ -> ())
          (fun () -> cancel t));
    beside "reason" reason;
    beside "is_cancelled" is_cancelled;
    each_time "within" (fun () -> within (create ()) ignore);
    beside "within, of a token of many" (fun t -> within t ignore);
    within_many "within, inside others" (fun () -> within (create ()) ignore);
    each_time "with_timeout" (fun () -> with_timeout 1. ignore);
    with_timers "with_timeout, beside others" (fun () -> with_timeout 1. ignore);
    within_many "with_timeout, inside others" (fun () -> with_timeout 1. ignore);
    with_timers "with_deadline" (fun () -> with_deadline (Weft.now () +. 1.) ignore);
    each_time "check" check;
    within_many "check, inside others" check;
    each_time "shield" (fun () -> shield ignore);
  ]

let limits =
  let open Weft.Limit in
  let rec inside n f = if n = 0 then f () else run (create 1) (fun () -> inside (n - 1) f) in
  [
    few_of "create" Fun.id create;
    each_of "run" create (fun l _ -> run l ignore);
    words "run, in line" Linear (fun n ->
        let l = create 1 and go = Weft.Ivar.create () in
        served n (fun () -> run l (fun () -> Weft.Ivar.read go)) (fun () -> Weft.Ivar.fill go ()));
    whole "run, inside others" Fun.id (fun n -> inside n ignore);
    few_of "room" create room;
    few_of "running" create running;
  ]

let locals =
  let open Weft.Local in
  let of_worker name f = few_of name (fun _ -> Worker_local.create (fun () -> 0)) f in
  (* n keys are bound, inside each other. *)
  let bound name f =
    words name Logarithmic (fun n ->
        nested n (fun f -> Task_local.with_value (Task_local.create ~default:0) 1 f) f)
  in
  let key = Task_local.create ~default:0 and own = Task_local.create_own ~default:0 in
  [
    constant "Worker_local.create" (fun () -> Worker_local.create ignore);
    of_worker "Worker_local.get" Worker_local.get;
    of_worker "Worker_local.set" (fun l -> Worker_local.set l 1);
    of_worker "Worker_local.update" (fun l -> Worker_local.update l succ);
    of_worker "Worker_local.fold" (Worker_local.fold ( + ) 0);
    of_worker "Worker_local.reset" Worker_local.reset;
    constant "Task_local.create" (fun () -> Task_local.create ~default:0);
    constant "Task_local.create_own" (fun () -> Task_local.create_own ~default:0);
    bound "Task_local.set" (fun () -> Task_local.with_value own 1 (fun () -> Task_local.set own 2));
    bound "Task_local.get" (fun () -> Task_local.get key);
    bound "Task_local.with_value" (fun () -> Task_local.with_value key 2 ignore);
    constant "Task_local.with_value, alone" (fun () -> Task_local.with_value key 2 ignore);
  ]

let randoms =
  let open Weft.Random in
  let draw name f = few_of name make f in
  [
    few_of "make" Fun.id make;
    draw "copy" copy;
    draw "split" split;
    draw "bits" bits;
    draw "bits64" bits64;
    few_of "int" Fun.id (int (make 1));
    few_of "int_in_range" Fun.id (fun max -> int_in_range (make 1) ~min:0 ~max);
    draw "uniform" (fun t -> uniform t 1.);
    draw "bool" bool;
    few_of "at" Fun.id (at (make 1));
    few_of "bits_at" Fun.id (bits_at (make 1));
    few_of "bits64_at" Fun.id (bits64_at (make 1));
    few_of "int_at" Fun.id (fun i -> int_at (make 1) i 10);
    few_of "float_at" Fun.id (fun i -> float_at (make 1) i 1.);
    few_of "bool_at" Fun.id (bool_at (make 1));
    whole "shuffle" (fun n -> Array.make n 0) (shuffle (make 1));
    whole "permutation" Fun.id (permutation (make 1));
  ]

let traces =
  let open Weft.Trace in
  let called call f = few_of call (fun n -> String.make n 'x') f in
  [
    called "region" (fun name -> region name ignore);
    called "instant" instant;
    called "named" (fun name -> named name ignore ());
    constant "enabled" enabled;
    constant "dump_last" (fun () -> dump_last "no-events");
  ]

let deadlocks =
  let open Weft.Deadlock in
  [
    constant "set_detection" (fun () -> set_detection Automatic); constant "expect" (fun () -> expect ignore);
  ]

let dumps =
  let open Weft.Dump in
  let waiting n =
    Table.waiting n (fun () -> Weft.sleep 3600.);
    n
  in
  [
    whole "fibers" waiting (fun _ -> fibers ());
    whole "to_string" waiting (fun _ -> to_string ());
    constant "at_signal" (fun () -> at_signal Sys.sigusr2);
  ]

(* --- pools and profiles, from outside --- *)

(* Pools of n domains, closed after each call. *)
let pools =
  let open Weft.Pool in
  let open_pools : t list ref = ref [] in
  let made domains =
    List.iter close !open_pools;
    let p = create ~domains () in
    open_pools := [ p ];
    p
  in
  let asked name f = few_of name made f in
  [
    whole "create" Fun.id (fun domains -> close (create ~domains ()));
    whole "with_pool" Fun.id (fun domains -> with_pool ~domains ignore);
    constant "default" default;
    constant "default_domains" default_domains;
    constant "current" current;
    words "find" Logarithmic (fun n ->
        let p = made n in
        ignoring find (name p));
    asked "name" name;
    asked "domains" domains;
    asked "live_domains" live_domains;
    asked "max_active" max_active;
    asked "worker_index" (fun p -> run p worker_index);
    asked "present" present;
    asked "room" room;
    asked "run" (fun p -> run p ignore);
    asked "async" (fun p -> Weft.await (async p ignore));
    whole "close" made close;
    whole "stats" made stats;
    whole "pp_stats" made (fun p -> Format.asprintf "%a" pp_stats (stats p));
  ]

let stats =
  let open Weft.Stats in
  let made n = Weft.Pool.with_pool ~domains:n pool in
  [
    whole "pool" (fun domains -> Weft.Pool.with_pool ~domains Fun.id) pool;
    whole "all" made (fun _ -> all ());
    whole "total" made total;
    whole "to_prometheus" made (fun p -> to_prometheus ~pools:[ p ] ());
    constant "blocking" blocking;
  ]

let profiles =
  let open Weft.Profile in
  let rec forks n =
    if n > 1 then ignore (Weft.par (fun () -> forks (n / 2)) (fun () -> forks (n - (n / 2))))
  in
  let regions n =
    snd
      (run (fun () ->
           for i = 1 to n do
             region (string_of_int i) (fun () ->
                 for _ = 1 to 1_000 do
                   ignore (Sys.opaque_identity i)
                 done)
           done))
  in
  let figures = { work = 2.; span = 1.; burdened_span = 1. } in
  [
    whole "run" Fun.id (fun n -> run (fun () -> forks n));
    constant "region" (fun () -> region "r" ignore);
    words "region, in a profile" Linear_log (fun n -> ignoring regions n);
    constant "parallelism" (fun () -> parallelism figures);
    few_of "upper_bound" Fun.id (fun workers -> upper_bound figures ~workers);
    few_of "lower_bound" Fun.id (fun workers -> lower_bound figures ~workers);
    whole "limit" regions limit;
    whole "pp" regions (Format.asprintf "%a" pp);
    whole "save"
      (fun n -> snd (run (fun () -> forks n)))
      (fun p -> Testing.Child.with_temp_file (fun file -> save file p));
  ]

(* --- all of them --- *)

let tables =
  let table ?(in_pool = true) ?(except = []) ?(of_sizes = [ 100; 1000 ]) prefix file cases =
    { prefix; files = [ "lib/weft/" ^ file ^ ".mli" ]; sizes = sizes of_sizes; in_pool; cases; except }
  in
  let handlers =
    ( "a store of what cannot be asked for again",
      [
        "set_uncaught_handler";
        "set_suppressed_handler";
        "exit_on_uncaught";
        "uncaught_handler";
        "default_uncaught_handler";
      ] )
  in
  [
    table "Weft." "weft" weft
      ~except:[ handlers; ("it writes to standard error", [ "dump" ]) ]
      ~of_sizes:[ 200; 2000 ];
    table "Weft." "pipeline" stages ~except:[ ("private: those of Weft", [ "run"; "collect" ]) ];
    table "Weft.Promise." "promise" promises;
    table "Weft.Scope." "scope" scopes;
    table "Weft.Cancel." "cancel" cancels;
    table "Weft.Limit." "limit" limits;
    table "Weft.Local." "local" locals;
    table "Weft.Random." "task_random" randoms ~of_sizes:[ 1000; 10_000 ];
    table "Weft.Trace." "trace" traces ~except:[ ("it makes a file, once", [ "start" ]) ];
    table "Weft.Deadlock." "deadlocks" deadlocks;
    table "Weft.Dump." "dump" dumps;
    table "Weft.Pool." "pool" pools ~in_pool:false ~of_sizes:[ 1; 2 ]
      ~except:[ ("it lasts for the rest of the program", [ "on_worker" ]) ];
    table "Weft.Stats." "stats" stats ~in_pool:false ~of_sizes:[ 1; 2 ];
    table "Weft.Profile." "profile" profiles ~in_pool:false;
  ]
