open Support
module Promise = Weft.Promise

let rec fib_async n =
  if n < 2 then n
  else
    let p = Weft.async (fun () -> fib_async (n - 1)) in
    let b = fib_async (n - 2) in
    Weft.await p + b

let results () =
  in_each_size @@ fun () ->
  check_int "fib 22" (fib_of 22) (fib_async 22);
  let ps = List.init 1000 (fun i -> Weft.async (fun () -> i)) in
  check_int "in order" 499_500 (List.fold_left (fun s p -> s + Weft.await p) 0 ps);
  let ps = List.init 1000 (fun i -> Weft.async (fun () -> i)) in
  check_int "in reverse" 499_500 (List.fold_left (fun s p -> s + Weft.await p) 0 (List.rev ps))

let many_awaiters () =
  in_each_size @@ fun () ->
  let source = Promise.create () in
  let slow = Weft.async (fun () -> Weft.await source + 1) in
  let waiters =
    List.init 100 (fun i -> Weft.async (fun () -> Weft.await (if i land 1 = 0 then source else slow)))
  in
  Weft.yield ();
  Promise.resolve source 10;
  check_int "sum" ((50 * 10) + (50 * 11)) (List.fold_left (fun s p -> s + Weft.await p) 0 waiters)

let long_chain () =
  with_deep_in_each_size @@ fun n ->
  (* Each promise awaits the one before: they run in place, or are resumed one after the other. *)
  let rec chain p i = if i = n then p else chain (Weft.async (fun () -> 1 + Weft.await p)) (i + 1) in
  check_int "all tasks" n (Weft.await (chain (Promise.of_value 0) 0))

(* All fibers wait before the first promise is resolved: the end of each resumes the next. A suspended
   fiber takes some kilobytes, so only long runs try a million. *)
let long_chain_suspended () =
  with_deep_in_each_size @@ fun n ->
  let n = Testing.Effort.count ~quick:n ~usual:(n / 5) ~long:n in
  let source = Promise.create () in
  let rec chain p i = if i = n then p else chain (Promise.map succ p) (i + 1) in
  let last = chain source 0 in
  Weft.yield ();
  Promise.resolve source 0;
  check_int "all tasks" n (Weft.await last)

let created () =
  let p = Promise.create () in
  Alcotest.(check bool) "not settled" false (Promise.is_settled p);
  Alcotest.(check bool) "no outcome" true (Promise.peek p = None);
  Promise.resolve p 3;
  Alcotest.(check bool) "settled" true (Promise.is_settled p);
  check_int "value" 3 (Promise.await p);
  raises_invalid "again" "Weft.Promise.resolve: " (fun () -> Promise.resolve p 4);
  raises_invalid "again" "Weft.Promise.reject: " (fun () -> Promise.reject p Exit);
  Alcotest.(check bool) "try" false (Promise.try_resolve p 4);
  Alcotest.(check bool) "try" false (Promise.try_reject p Exit);
  let task = Weft.async (fun () -> 5) in
  raises_invalid "a task's" "Weft.Promise.resolve: " (fun () -> Promise.resolve task 4);
  raises_invalid "a task's" "Weft.Promise.try_resolve: " (fun () -> Promise.try_resolve task 4);
  check_int "a task's value" 5 (Weft.await task);
  raises_invalid "a task's" "Weft.Promise.try_resolve: " (fun () -> Promise.try_resolve task 4);
  let q = Promise.create () in
  Promise.reject q (Planned 1);
  Alcotest.check_raises "rejected" (Planned 1) (fun () -> Promise.await q)

let racing_resolvers () =
  in_each_size @@ fun () ->
  for _ = 1 to 200 do
    let p = Promise.create () in
    let wins = Weft.all (List.init 8 (fun i () -> Promise.try_resolve p i)) in
    check_int "one winner" 1 (List.length (List.filter Fun.id wins));
    Alcotest.(check bool) "its value" true (List.nth wins (Promise.await p))
  done

let resolved_from_anywhere () =
  on_each_size @@ fun pool ->
  let from_thread = Promise.create ()
  and from_domain = Promise.create ()
  and from_handler = Promise.create () in
  let before =
    Sys.signal Sys.sigusr1 (Signal_handle (fun _ -> ignore (Promise.try_resolve from_handler 4)))
  in
  let t =
    Thread.create
      (fun () ->
        Thread.delay 0.01;
        Promise.resolve from_thread 1;
        Thread.delay 0.01;
        Unix.kill (Unix.getpid ()) Sys.sigusr1)
      ()
  in
  let d =
    Domain.spawn (fun () ->
        Unix.sleepf 0.02;
        Promise.resolve from_domain 2)
  in
  let sum =
    Weft.Pool.run pool (fun () ->
        let (a, b), c =
          Weft.par
            (fun () -> Weft.par (fun () -> Weft.await from_thread) (fun () -> Weft.await from_domain))
            (fun () -> Weft.await from_handler)
        in
        a + b + c)
  in
  check_int "sum" 7 sum;
  Thread.join t;
  Domain.join d;
  Sys.set_signal Sys.sigusr1 before

let combining () =
  in_each_size @@ fun () ->
  let p i =
    Weft.async (fun () ->
        spin (1000 * i);
        i)
  and failing i = Weft.async (fun () -> raise (Planned i)) in
  check_int "map" 6 (Weft.await (Promise.map (( * ) 2) (p 3)));
  Alcotest.(check (pair int int)) "both" (1, 2) (Weft.await (Promise.both (p 1) (p 2)));
  Alcotest.(check (list int)) "all" [ 3; 1; 2 ] (Weft.await (Promise.all [ p 3; p 1; p 2 ]));
  Alcotest.(check (list int)) "all of none" [] (Weft.await (Promise.all []));
  Alcotest.check_raises "both: leftmost" (Planned 1) (fun () ->
      ignore (Weft.await (Promise.both (failing 1) (failing 2))));
  Alcotest.check_raises "all: leftmost" (Planned 2) (fun () ->
      ignore (Weft.await (Promise.all [ p 1; failing 2; failing 3 ])));
  Alcotest.(check bool)
    "any: a success" true
    (List.mem (Weft.await (Promise.any [ p 1; p 2; failing 1 ])) [ 1; 2 ]);
  check_int "any: the only success" 2 (Weft.await (Promise.any [ failing 1; p 2; failing 1 ]));
  Alcotest.check_raises "any: all failed, leftmost" (Planned 1) (fun () ->
      ignore (Weft.await (Promise.any [ failing 1; failing 2 ])));
  raises_invalid "any of none" "Weft.Promise.any: " (fun () -> Promise.any [])

let yield_is_fair () =
  (* Two fibers on one domain only yield: neither can finish alone. *)
  Weft.run ~domains:1 @@ fun () ->
  let turn = ref 0 in
  let player me () =
    for _ = 1 to 1000 do
      while !turn land 1 <> me do
        Weft.yield ()
      done;
      incr turn
    done
  in
  let (), () = Weft.par (player 0) (player 1) in
  check_int "turns" 2000 !turn

let nothing_starves () =
  (* Jobs that keep arriving at the bottom of a deque must not starve older ones, nor submitted ones. *)
  Weft.run ~domains:1 @@ fun () ->
  let reached = ref 0 in
  let goal = Promise.create () in
  ignore
    (Weft.async (fun () ->
         incr reached;
         if !reached = 2 then Promise.resolve goal ()));
  let rec keep_coming () = if not (Promise.is_settled goal) then ignore (Weft.async keep_coming) in
  keep_coming ();
  ignore
    (Weft.async (fun () ->
         Weft.yield ();
         incr reached;
         if !reached = 2 then Promise.resolve goal ()));
  Weft.await goal

let givers_up_leave_nothing () =
  Weft.run ~domains:1 @@ fun () ->
  let p = Promise.create () and q = Promise.create () in
  Weft.Scope.run @@ fun scope ->
  for _ = 1 to 20 do
    ignore (Weft.Scope.async scope (fun () -> Weft.await p));
    ignore (Weft.Scope.async scope (fun () -> Weft.await q))
  done;
  Weft.yield ();
  let give_up p =
    let token = Weft.Cancel.create () in
    ignore
      (Weft.Scope.async scope (fun () ->
           Weft.yield ();
           Weft.Cancel.cancel token));
    match Weft.Cancel.within token (fun () -> Weft.await p) with
    | () -> Alcotest.fail "nobody has resolved it"
    | exception Weft.Cancel.Cancelled _ -> ()
  in
  let size p = Obj.reachable_words (Obj.repr p) in
  (* The two promises take turns: each must clear away its own waiters. *)
  for _ = 1 to 5000 do
    give_up p;
    give_up q
  done;
  List.iter (fun p -> if size p > 30_000 then Alcotest.failf "%d words are left" (size p)) [ p; q ];
  Promise.resolve p ();
  Promise.resolve q ()

let tests =
  [
    case "results come back, whatever the order of awaiting" results;
    case "any number of fibers await one promise" many_awaiters;
    case "a chain of a million promises, run in place" long_chain;
    case "a long chain of promises, all suspended" long_chain_suspended;
    case "created promises settle once" created;
    case "of racing resolvers one wins" racing_resolvers;
    case "threads, domains and signal handlers resolve" resolved_from_anywhere;
    case "map, both, all, any" combining;
    case "yield lets the others run" yield_is_fair;
    case "nothing starves behind new jobs" nothing_starves;
    case "a fiber that gives up leaves nothing behind" givers_up_leave_nothing;
  ]
