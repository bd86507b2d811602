(* Tasks, promises, pools: what starts, ends, fails, and how to look at it. *)

exception Wrong of int

let () =
  let a, b, c = Weft.par3 (fun () -> 1) (fun () -> "two") (fun () -> 3.) in
  let d, e, f, g = Weft.par4 (fun () -> a) (fun () -> b) (fun () -> c) (fun () -> 'd') in
  Printf.printf "%d %s %g %c\n" d e f g;
  let found =
    Weft.parallel_find ~start:1 ~finish:100 ~body:(fun i -> if i mod 7 = 0 then Some i else None) ()
  in
  Printf.printf "%b\n" (Option.get found mod 7 = 0)

let () =
  let p = Weft.Promise.create () and q = Weft.Promise.of_value 2 in
  Printf.printf "%b %b\n" (Weft.Promise.is_settled p) (Weft.Promise.is_settled q);
  Weft.Promise.resolve p 1;
  Printf.printf "%d\n" (fst (Weft.Promise.await (Weft.Promise.both p q)));
  Printf.printf "%d\n" (List.length (Weft.await (Weft.Promise.all [ p; q ])));
  Printf.printf "%b\n" (Weft.await (Weft.Promise.any [ p; q ]) <= 2);
  let lost = Weft.Promise.create () and never = Weft.Promise.create () in
  Weft.Promise.reject lost (Wrong 1);
  Printf.printf "%b\n" (Weft.Promise.try_reject never (Wrong 2));
  List.iter
    (fun p -> match Weft.await p with () -> () | exception Wrong n -> Printf.printf "wrong %d\n" n)
    [ lost; never ]

let () =
  (* What lost against an exception further left, and what nobody awaited. *)
  let count = Atomic.make 0 in
  Weft.set_suppressed_handler (fun _ _ -> Atomic.incr count);
  Weft.set_uncaught_handler (fun _ _ -> Atomic.incr count);
  (match Weft.par (fun () -> raise (Wrong 1)) (fun () -> raise (Wrong 2)) with
  | _ -> ()
  | exception Wrong n -> Printf.printf "wrong %d\n" n);
  Weft.Pool.with_pool ~domains:2 (fun pool ->
      ignore (Weft.Pool.async pool (fun () -> raise (Wrong 3)) : unit Weft.promise));
  Printf.printf "%b\n" (Atomic.get count >= 1);
  (* A scope that goes on after a failure, and tells of it. *)
  match
    Weft.Scope.run ~on_failure:Keep_going (fun s ->
        let failing = Weft.Scope.async s (fun () -> raise (Wrong 4)) in
        (try Weft.await failing with Wrong _ -> ());
        Printf.printf "%d failure\n" (List.length (Weft.Scope.failures s)))
  with
  | () -> ()
  | exception Wrong n -> Printf.printf "wrong %d\n" n

let () =
  let token = Weft.Cancel.create () in
  Weft.Cancel.cancel ~reason:"enough" token;
  Printf.printf "%b %s\n" (Weft.Cancel.is_cancelled token) (Option.get (Weft.Cancel.reason token));
  (match Weft.Cancel.within token (fun () -> ()) with
  | () -> ()
  | exception Weft.Cancel.Cancelled why -> print_endline why);
  let began = ref false and kept = ref false in
  (match
     Weft.Cancel.with_deadline
       (Weft.now () +. 0.01)
       (fun () ->
         began := true;
         Fun.protect
           (fun () -> Weft.sleep 10.)
           ~finally:(fun () ->
             (* A step that must be whole. *)
             Weft.Cancel.shield (fun () -> Weft.yield ());
             kept := true))
   with
  | () -> ()
  | exception Weft.Cancel.Timeout -> Printf.printf "in time, and whole: %b\n" (!kept = !began));
  let narrow = Weft.Limit.create 1 in
  let running = Weft.Limit.run narrow (fun () -> Weft.Limit.running narrow) in
  Printf.printf "%d of %d\n" running (Weft.Limit.room narrow)

let () =
  let pool = Weft.Pool.create ~name:"by example" ~domains:2 () in
  Printf.printf "%s, %d domains, %b\n" (Weft.Pool.name pool) (Weft.Pool.domains pool)
    (Weft.Pool.find "by example" <> None);
  Printf.printf "%b %b\n" (Weft.Pool.max_active pool >= 1) (Weft.Pool.live_domains pool <= 2);
  Printf.printf "%b\n"
    (Weft.Pool.run pool (fun () -> match Weft.Pool.current () with Some p -> p == pool | None -> false));
  Printf.printf "%d\n" (Weft.await (Weft.Pool.async ~priority:Low pool (fun () -> 6 * 7)));
  let counts = Array.make (Weft.Pool.domains pool) 0 in
  let count _ =
    let worker = Weft.Pool.worker_index () in
    counts.(worker) <- counts.(worker) + 1
  in
  Weft.Pool.run pool (fun () -> Weft.parallel_for ~start:1 ~finish:1000 ~body:count ());
  Printf.printf "%d counted\n" (Array.fold_left ( + ) 0 counts);
  Printf.printf "%d workers\n" (Array.length (Weft.Pool.stats pool));
  ignore (Format.asprintf "%a" Weft.Pool.pp_stats (Weft.Pool.stats pool) : string);
  Printf.printf "%d\n" (Weft.Stats.pool pool).domains;
  Printf.printf "%b\n" (List.exists (fun (p : Weft.Stats.pool) -> p.name = "by example") (Weft.Stats.all ()));
  Printf.printf "%b\n" ((Weft.Stats.total (Weft.Stats.pool pool)).jobs > 0);
  Printf.printf "%b\n" (String.length (Weft.Stats.to_prometheus ()) > 0);
  Printf.printf "%d\n" (Weft.Stats.blocking ()).queued;
  (* Who waits for what: on standard error, at a signal, and as data. *)
  Weft.Dump.at_signal Sys.sigusr1;
  let promise = Weft.Promise.create () in
  let waiter = Weft.Pool.async pool (fun () -> Weft.await promise) in
  while Weft.Dump.fibers () = [] do
    Thread.yield ()
  done;
  List.iter (fun (f : Weft.Dump.fiber) -> print_endline f.waits_for) (Weft.Dump.fibers ());
  Printf.printf "%b\n" (String.starts_with ~prefix:"pool " (Weft.Dump.to_string ()));
  Weft.Promise.resolve promise ();
  Weft.await waiter;
  Weft.Pool.close pool;
  (* Or when the program finds that something takes too long; here nothing waits any more. *)
  let waits_long (f : Weft.Dump.fiber) = f.seconds > 60. in
  if List.exists waits_long (Weft.Dump.fibers ()) then Weft.dump ();
  Printf.printf "%b\n" (Weft.Pool.domains (Weft.Pool.default ()) = Weft.Pool.default_domains ())

let () =
  let here = Weft.Local.Worker_local.create (fun () -> 0) in
  Weft.Local.Worker_local.set here 5;
  Printf.printf "%d\n" (Weft.Local.Worker_local.fold ( + ) 0 here);
  Weft.Local.Worker_local.reset here;
  Printf.printf "%d\n" (Weft.Local.Worker_local.fold ( + ) 0 here)

let () =
  (* Work and span: two halves that could run at the same time. *)
  let rec fib n = if n < 2 then n else fib (n - 1) + fib (n - 2) in
  let half () = Weft.Profile.region "half" (fun () -> fib 20) in
  let _, profile = Weft.Profile.run (fun () -> Weft.par half half) in
  let total = profile.total in
  Printf.printf "%b\n" (Weft.Profile.parallelism total >= 1.);
  Printf.printf "%b\n" (Weft.Profile.lower_bound total ~workers:2 <= Weft.Profile.upper_bound total ~workers:2);
  ignore (Weft.Profile.limit profile : Weft.Profile.region option);
  ignore (Format.asprintf "%a" Weft.Profile.pp profile : string);
  let file = Filename.temp_file "weft" ".profile" in
  Weft.Profile.save file profile;
  Sys.remove file;
  (* Names for who looks on from outside; nothing, while nobody does. *)
  Weft.Trace.region "sum" (fun () -> Weft.Trace.instant "half of it");
  Weft.await (Weft.async (Weft.Trace.named "other half" ignore));
  Printf.printf "%b\n" (Weft.Trace.enabled ())
