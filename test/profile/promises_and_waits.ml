(* Dependencies through promises and other waits, and calls that fail. *)

open Clocked

let after cost f () =
  spend cost;
  f ()

let async_await () =
  check "a task beside its maker" ~work:30 ~span:20 ~burdened:27 ~burden:7 (fun () ->
      let p = Weft.async (fun () -> spend 20) in
      spend 10;
      Weft.await p);
  check "a task that begins late" ~work:35 ~span:30 (fun () ->
      spend 10;
      let p = Weft.async (fun () -> spend 20) in
      spend 5;
      Weft.await p)

let awaited_twice () =
  (* 10 + max (20, 3) + 4: the second await finds the promise settled. *)
  check "awaited twice" ~work:37 ~span:34 (fun () ->
      spend 10;
      let p = Weft.async (fun () -> spend 20) in
      spend 3;
      Weft.await p;
      spend 2;
      Weft.await p;
      spend 2)

let awaited_by_others () =
  (* q waits for p, which was made earlier. *)
  check "a task awaited by another" ~work:60 ~span:55 (fun () ->
      let p = Weft.async (fun () -> spend 50) in
      let q =
        Weft.async (fun () ->
            Weft.await p;
            spend 5)
      in
      spend 5;
      Weft.await q)

let out_of_order () =
  (* The promise is settled while its maker waits for something else: the edge counts all the same. *)
  check "settled before it is awaited" ~work:110 ~span:100 (fun () ->
      let p = Weft.async (fun () -> spend 100) in
      let q = Weft.async (fun () -> spend 10) in
      Weft.yield ();
      Weft.yield ();
      Weft.await q;
      Weft.await p)

let promises () =
  check "a promise that a task resolves" ~work:48 ~span:45 (fun () ->
      let news = Weft.Promise.create () in
      let p =
        Weft.async (fun () ->
            spend 40;
            Weft.Promise.resolve news ();
            spend 3)
      in
      Weft.await news;
      spend 5;
      Weft.await p)

let resolved_twice () =
  let _, _ =
    profile (fun () ->
        let news = Weft.Promise.create () in
        Weft.Promise.resolve news 1;
        Alcotest.(check bool) "a second time" false (Weft.Promise.try_resolve news 2);
        match Weft.Promise.resolve news 3 with
        | () -> Alcotest.fail "resolved twice"
        | exception Invalid_argument _ -> ())
  in
  ()

let scopes () =
  check "a scope ends after its longest task" ~work:65 ~span:35 (fun () ->
      Weft.Scope.run (fun s ->
          List.iter (fun cost -> ignore (Weft.Scope.async s (fun () -> spend cost))) [ 10; 30; 20 ]);
      spend 5)

let channels () =
  check "a message that is waited for" ~work:34 ~span:30 (fun () ->
      let c = Weft.Chan.bounded 0 in
      let p = Weft.async (after 4 (fun () -> Weft.Chan.recv c)) in
      Weft.yield ();
      spend 30;
      Weft.Chan.send c ();
      Weft.await p)

let unawaited () =
  let _, found =
    profile (fun () ->
        let ran = Atomic.make false in
        let task () =
          spend 10;
          Atomic.set ran true
        in
        ignore (Weft.async task);
        while not (Atomic.get ran) do
          Weft.yield ()
        done;
        spend 3)
  in
  Alcotest.(check int) "what nobody awaits is work" 13 found.work

exception Wrong

let failures () =
  check "the left side fails, the right is not begun" ~work:14 ~span:14 (fun () ->
      (try
         ignore
           (Weft.par
              (fun () ->
                spend 10;
                raise Wrong)
              (fun () -> spend 100))
       with Wrong -> ());
      spend 4);
  check "the right side fails" ~work:34 ~span:24 (fun () ->
      (try
         ignore
           (Weft.par
              (fun () -> spend 10)
              (fun () ->
                spend 20;
                raise Wrong))
       with Wrong -> ());
      spend 4);
  check "a task fails" ~work:24 ~span:24 (fun () ->
      let p =
        Weft.async (fun () ->
            spend 20;
            raise Wrong)
      in
      (try Weft.await p with Wrong -> ());
      spend 4)

let failed_run () =
  (match profile (fun () -> raise Wrong) with _ -> Alcotest.fail "no exception" | exception Wrong -> ());
  (* Nothing is left of the failed run. *)
  check "the next one" ~work:3 ~span:3 (fun () -> spend 3)

let cancellation () =
  check "a loop that fails" ~work:20 ~span:20 (fun () ->
      try
        Weft.parallel_for ~start:0 ~finish:0
          ~body:(fun _ ->
            spend 20;
            raise Wrong)
          ()
      with Wrong -> ());
  let (), found =
    profile (fun () ->
        try
          Weft.Scope.run (fun s ->
              ignore (Weft.Scope.async s (fun () -> Weft.await (Weft.Promise.create ())));
              ignore
                (Weft.Scope.async s (fun () ->
                     spend 5;
                     raise Wrong)))
        with _ -> spend 2)
  in
  Alcotest.(check int) "what was done before and after" 7 found.work

let nested_pools () =
  check "a pool inside" ~work:33 ~span:23 (fun () ->
      spend 3;
      Weft.run ~domains:2 (fun () -> ignore (Weft.par (fun () -> spend 10) (fun () -> spend 20))))

let sizes () =
  let (domains, in_it), _ =
    profile (fun () ->
        Weft.run ~domains:5 (fun () ->
            let p = Option.get (Weft.Pool.current ()) in
            (Weft.Pool.domains p, Array.length (Weft.Pool.stats p))))
  in
  Alcotest.(check int) "a pool says that it is as large as it was asked to be" 5 domains;
  Alcotest.(check bool) "and has one worker" true (in_it <= 2)

let usual_again () =
  check "profiled" ~work:1 ~span:1 (fun () -> spend 1);
  let rec fib n =
    if n < 2 then n
    else
      let a, b = Weft.par (fun () -> fib (n - 1)) (fun () -> fib (n - 2)) in
      a + b
  in
  Alcotest.(check int) "other pools work as ever" 6765 (Weft.run (fun () -> fib 20))

let tests =
  [
    test "a task begins where it is made, and is joined where it is awaited" async_await;
    test "a promise may be awaited twice" awaited_twice;
    test "tasks that await others" awaited_by_others;
    test "an edge counts also if nobody had to wait" out_of_order;
    test "promises: an awaiter goes on after the resolver" promises;
    test "a promise is resolved once" resolved_twice;
    test "scopes end after all their tasks" scopes;
    test "channels: a receiver that waits goes on after the sender" channels;
    test "unawaited tasks are work" unawaited;
    test "what fails counts as far as it came" failures;
    test "a run that fails leaves nothing behind" failed_run;
    test "cancelled tasks" cancellation;
    test "pools inside are profiled too" nested_pools;
    test "a profiled pool has the size that was asked for, on one worker" sizes;
    test "afterwards all is as before" usual_again;
  ]
