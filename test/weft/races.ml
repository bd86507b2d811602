open Support
module Promise = Weft.Promise

let first_outcome () =
  in_each_size @@ fun () ->
  let slow = Promise.create () and fast = Promise.create () in
  let race = Promise.race [ slow; fast ] in
  Weft.yield ();
  Alcotest.(check bool) "not settled" false (Promise.is_settled race);
  Promise.resolve fast 2;
  check_int "the first to settle" 2 (Weft.await race);
  Promise.resolve slow 1;
  check_int "for good" 2 (Weft.await race);
  let slow = Promise.create () and fast = Promise.create () in
  let race = Promise.race [ slow; fast ] in
  Promise.reject fast (Planned 1);
  Alcotest.check_raises "an exception too" (Planned 1) (fun () -> Weft.await race);
  Promise.resolve slow ();
  check_int "settled already: the leftmost" 3
    (Weft.await (Promise.race [ Promise.create (); Promise.of_value 3; Promise.of_value 4 ]));
  let p = Promise.create () in
  let race = Promise.race [ p; p ] in
  Promise.resolve p 5;
  check_int "against itself" 5 (Weft.await race);
  raises_invalid "of none" "Weft.Promise.race: " (fun () -> Promise.race [])

let tasks () =
  in_each_size @@ fun () ->
  for _ = 1 to 300 do
    let tasks =
      List.init 5 (fun i ->
          Weft.async (fun () ->
              spin (1000 * i);
              i))
    in
    let first = Weft.await (Promise.race tasks) and any = Weft.await (Promise.any tasks) in
    Alcotest.(check bool) "one of them" true (first >= 0 && first < 5 && any >= 0 && any < 5);
    List.iteri (fun i p -> check_int "the others end too" i (Weft.await p)) tasks
  done

(* The number of words reachable from [p]. *)
let size p = Obj.reachable_words (Obj.repr p)

let losers_keep_nothing () =
  in_each_size @@ fun () ->
  let n = if deep < 1_000_000 then 20_000 else 250_000 in
  List.iter
    (fun (first_of : int Promise.t list -> int Promise.t) ->
      let lasting = Promise.create () in
      for i = 1 to n do
        let p = if i land 1 = 0 then Promise.of_value i else Promise.create () in
        let race = if i land 2 = 0 then first_of [ lasting; p ] else first_of [ p; lasting ] in
        ignore (Promise.try_resolve p i);
        check_int "the other wins" i (Weft.await race)
      done;
      if size lasting > 20 then Alcotest.failf "%d words are left" (size lasting);
      Promise.resolve lasting 0;
      (* The same holds for a task, before and while it runs. *)
      let go = Promise.create () in
      let lasting = Weft.async (fun () -> Weft.await go) in
      for i = 1 to 1000 do
        check_int "the other wins" i (Weft.await (first_of [ lasting; Promise.of_value i ]));
        if i = 500 then Weft.yield ()
      done;
      (* All of the pool can be reached from a task that waits: its queues, too, which may be long for a moment. *)
      Testing.Watchdog.until_undisturbed "losers keep nothing" (fun () ->
          let left = size lasting in
          if left > 10_000 then Error (Printf.sprintf "%d words are left" left) else Ok ());
      Promise.resolve go 7;
      check_int "and is awaited as ever" 7 (Weft.await lasting))
    [ Promise.race; Promise.any ]

exception Lost of int

let losers_count_as_awaited () =
  with_reports ~own:(function Lost _ -> true | _ -> false) @@ fun reports ->
  in_each_size (fun () ->
      List.iter
        (fun first_of ->
          let before = Promise.create () and task = Weft.async (fun () -> raise (Lost 2)) in
          let after = Promise.create () in
          check_int "won" 1 (Weft.await (first_of [ before; Promise.of_value 1; task; after ]));
          Promise.reject before (Lost 1);
          Promise.reject after (Lost 3))
        [ Promise.race; Promise.any ]);
  check_int "reported" 0 (List.length (reports ()))

let many_settle_at_once () =
  in_each_size @@ fun () ->
  for _ = 1 to 200 do
    let ps = List.init 8 (fun _ -> Promise.create ()) in
    let combined =
      Weft.async (fun () -> Weft.await ((if Random.bool () then Promise.race else Promise.any) ps))
    in
    ignore
      (Weft.all
         (List.mapi
            (fun i p () -> if i land 1 = 0 then Promise.resolve p i else Promise.reject p (Planned i))
            ps));
    match Weft.await combined with
    | v -> Alcotest.(check bool) "one of the results" true (v land 1 = 0)
    | exception Planned v -> Alcotest.(check bool) "one of the exceptions" true (v land 1 = 1)
  done

(* If each removed itself alone, it would search all that are still there. *)
let many_leave () =
  let n = if deep < 1_000_000 then 5_000 else 100_000 in
  in_each_size @@ fun () ->
  let lasting = Promise.create () in
  let own = List.init n (fun _ -> Promise.create ()) in
  let races = List.map (fun p -> Promise.race [ lasting; p ]) own in
  List.iteri (fun i p -> Promise.resolve p i) own;
  List.iteri (fun i race -> check_int "its own" i (Weft.await race)) races;
  Promise.reject lasting (Planned 1)

let tests =
  [
    case "race: the first outcome, result or exception" first_outcome;
    case "race and any: of tasks" tasks;
    case "race and any: a lasting promise does not grow" losers_keep_nothing;
    case "race and any: what losers raise counts as awaited" losers_count_as_awaited;
    case "race and any: many settle at once" many_settle_at_once;
    case "a hundred thousand races leave one promise" many_leave;
  ]
