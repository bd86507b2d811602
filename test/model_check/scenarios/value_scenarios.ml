type test = { notes : Notes.t; crew : Crew.t }

(* [who] calls [f ()], whose result says how it ended; if [who] is stopped or its time is up, it gives up. *)
let ends t who f =
  Notes.add t.notes (who ^ " " ^ match f () with how -> how | exception Context.Timeout -> "gave up")

(* A fiber that waits already when the processes begin, or a thread outside of any pool. *)
let begun t who f = Crew.begun t.crew 0 (fun () -> ends t who f)
let waits t who f = ignore (begun t who f : Fiber.context)
let thread t who f = Process.spawn who (fun () -> ends t who f)
let stopper context = Crew.stopper context Context.Timeout
let worker t = Crew.worker t.crew 0 "W" Crew.run_own

(* A thread that waits so long may give up at any time, unless somebody serves it before. *)
let soon = 1e-9

(* [who] lists each process and the ways in which it may end; otherwise it waits. [spawn t] returns what
   else the judgement tells. Any other outcome is a fault. *)
let scenario name ~who ~outcomes spawn : Scenario.t =
  let set_up () =
    Section.ignore_all ();
    Whole_deque.use true;
    let t = { notes = Notes.make (); crew = Crew.make 1 } in
    let rest = spawn t in
    fun () ->
      Crew.run_rest t.crew;
      let ending (name, ways) =
        match List.filter (fun how -> Notes.at_most_once t.notes (name ^ " " ^ how) <> None) ways with
        | [] -> name ^ " waits"
        | [ how ] -> name ^ " " ^ how
        | several -> Explore.violate "%s %s" name (String.concat " and " several)
      in
      let verdict = String.concat ", " (List.map ending who @ rest ()) in
      if not (List.mem verdict outcomes) then Explore.violate "%s" verdict;
      verdict
  in
  { name; long = false; outcomes; set_up }

let no_more () = []

(* --- full or empty --- *)

let got v = "got " ^ v
let take ?timeout m () = got (Mvar.take ?timeout m)
let read m () = "saw " ^ Mvar.read m

let put ?timeout m v () =
  Mvar.put ?timeout m v;
  "put"

let left m () = match Mvar.try_read m with None -> [] | Some v -> [ v ^ " is left" ]

let mvars =
  [
    ( scenario "mvar: two take, one is stopped, one puts"
        ~who:[ ("P", [ "got a"; "gave up" ]); ("Q", [ "got a" ]) ]
        ~outcomes:[ "P got a, Q waits"; "P gave up, Q got a" ]
    @@ fun t ->
      let m = Mvar.create () in
      let p = begun t "P" (take m) in
      waits t "Q" (take m);
      worker t;
      thread t "S" (put m "a");
      stopper p;
      left m );
    ( scenario "mvar: one takes and is stopped, one reads, one puts"
        ~who:[ ("P", [ "got a"; "gave up" ]); ("R", [ "saw a" ]) ]
        ~outcomes:[ "P got a, R saw a"; "P gave up, R saw a, a is left" ]
    @@ fun t ->
      let m = Mvar.create () in
      let p = begun t "P" (take m) in
      waits t "R" (read m);
      worker t;
      thread t "S" (put m "a");
      stopper p;
      left m );
    ( scenario "mvar: two put, one is stopped, one takes"
        ~who:[ ("P", [ "put"; "gave up" ]); ("Q", [ "put" ]); ("T", [ "got first" ]) ]
        ~outcomes:[ "P gave up, Q put, T got first, q is left"; "P put, Q waits, T got first, p is left" ]
    @@ fun t ->
      let m = Mvar.create ~value:"first" () in
      let p = begun t "P" (put m "p") in
      waits t "Q" (put m "q");
      worker t;
      thread t "T" (take m);
      stopper p;
      left m );
    ( scenario "mvar: one puts, two take, one gives up"
        ~who:[ ("P", [ "got a"; "gave up" ]); ("Q", [ "got a" ]) ]
        ~outcomes:[ "P gave up, Q got a"; "P got a, Q waits" ]
    @@ fun t ->
      let m = Mvar.create () in
      thread t "P" (take ~timeout:soon m);
      thread t "Q" (take m);
      thread t "S" (put m "a");
      left m );
  ]

(* --- put once --- *)

let place_read ?timeout d () = got (Write_once.wait ?timeout ~what:"reading" d)
let place_put d v () = if Write_once.put d v then "put" else "came too late"

let put_once =
  let reader = ("P", [ "got a"; "gave up" ]) in
  [
    ( scenario "ivar: two read, one is stopped, one fills"
        ~who:[ reader; ("Q", [ "got a" ]) ]
        ~outcomes:[ "P gave up, Q got a"; "P got a, Q got a" ]
    @@ fun t ->
      let d = Write_once.create () in
      let p = begun t "P" (place_read d) in
      waits t "Q" (place_read d);
      worker t;
      thread t "S" (place_put d "a");
      stopper p;
      no_more );
    ( scenario "ivar: one reads and gives up, two fill"
        ~who:[ reader; ("S", [ "put"; "came too late" ]); ("T", [ "put"; "came too late" ]) ]
        ~outcomes:
          [
            "P gave up, S came too late, T put";
            "P gave up, S put, T came too late";
            "P got a, S came too late, T put";
            "P got a, S put, T came too late";
          ]
    @@ fun t ->
      let d = Write_once.create () in
      thread t "P" (place_read ~timeout:soon d);
      thread t "S" (place_put d "a");
      thread t "T" (place_put d "a");
      no_more );
    ( scenario "ivar: one reads, one fills" ~who:[ ("P", [ "got a" ]) ] ~outcomes:[ "P got a" ] @@ fun t ->
      let d = Write_once.create () in
      thread t "P" (place_read d);
      thread t "S" (place_put d "a");
      no_more );
    ( scenario "latch: one waits, one waits and is stopped, two count down"
        ~who:[ ("P", [ "went on"; "gave up" ]); ("Q", [ "went on" ]) ]
        ~outcomes:[ "P gave up, Q went on"; "P went on, Q went on" ]
    @@ fun t ->
      let l = Latch.create 2 in
      let wait () =
        Latch.wait l;
        "went on"
      and count_down () =
        Latch.count_down l;
        "counted"
      in
      let p = begun t "P" wait in
      waits t "Q" wait;
      worker t;
      thread t "S" count_down;
      thread t "T" count_down;
      stopper p;
      no_more );
    ( scenario "once: one computes and is stopped, one waits, a resolver"
        ~who:[ reader; ("Q", [ "got a" ]) ]
        ~outcomes:[ "P gave up, Q got a"; "P got a, Q got a" ]
    @@ fun t ->
      let promise = Promise.create () in
      let once = Once.make (fun () -> Fork_join.await promise) in
      let get () = got (Once.get once) in
      let p = begun t "P" get in
      waits t "Q" get;
      worker t;
      thread t "S" (fun () ->
          Promise.resolve promise "a";
          "resolved");
      stopper p;
      no_more );
  ]

(* --- barriers --- *)

let barriers =
  let pass = "passed" in
  let arrive ?timeout b () =
    ignore (Barrier.wait ?timeout b : int);
    pass
  in
  let in_time = ("P", [ pass; "gave up" ]) in
  [
    ( scenario "barrier: two of three wait, one is stopped, one comes"
        ~who:[ in_time; ("Q", [ pass ]); ("R", [ pass ]) ]
        ~outcomes:[ "P gave up, Q waits, R waits"; "P passed, Q passed, R passed" ]
    @@ fun t ->
      let b = Barrier.create 3 in
      let p = begun t "P" (arrive b) in
      waits t "Q" (arrive b);
      worker t;
      thread t "R" (arrive b);
      stopper p;
      no_more );
    ( scenario "barrier: two come, one gives up"
        ~who:[ in_time; ("R", [ pass ]) ]
        ~outcomes:[ "P gave up, R waits"; "P passed, R passed" ]
    @@ fun t ->
      let b = Barrier.create 2 in
      thread t "P" (arrive ~timeout:soon b);
      thread t "R" (arrive b);
      no_more );
  ]

(* --- gates --- *)

(* An item passes a gate and then opens the next one, also if it fails. *)
let item ~passes ~opens () =
  match Gate.pass passes with
  | () ->
      Gate.unlock opens;
      "passed"
  | exception exn ->
      Gate.unlock opens;
      raise exn

let gates =
  [
    ( scenario "gates: an item waits and is stopped, the next waits, the one before ends"
        ~who:[ ("P", [ "passed"; "gave up" ]); ("Q", [ "passed" ]) ]
        ~outcomes:[ "P gave up, Q passed"; "P passed, Q passed" ]
    @@ fun t ->
      let first = Gate.shut () and second = Gate.shut () and last = Gate.shut () in
      let p = begun t "P" (item ~passes:first ~opens:second) in
      waits t "Q" (item ~passes:second ~opens:last);
      worker t;
      thread t "S" (item ~passes:(Gate.opened ()) ~opens:first);
      stopper p;
      no_more );
    ( scenario "gates: an item comes, the one before ends twice"
        ~who:[ ("P", [ "passed" ]) ]
        ~outcomes:[ "P passed" ]
    @@ fun t ->
      let first = Gate.shut () and last = Gate.shut () in
      Crew.worker t.crew 0 "P" (fun w ->
          Crew.run w (fun () -> ends t "P" (item ~passes:first ~opens:last));
          Crew.run_own w);
      thread t "S" (fun () ->
          Gate.unlock first;
          Gate.unlock first;
          "opened");
      no_more );
  ]

(* --- selects --- *)

let choose cases () = Select_cases.choose ~what:"a test" ~in_order:false cases

let selects =
  [
    ( scenario "a select of two mvars, two put"
        ~who:[ ("P", [ "got a"; "got b" ]) ]
        ~outcomes:[ "P got a, b is left"; "P got b, a is left" ]
    @@ fun t ->
      let m = Mvar.create () and n = Mvar.create () in
      thread t "P" (choose [ Select_cases.take m got; Select_cases.take n got ]);
      thread t "S" (put m "a");
      thread t "T" (put n "b");
      fun () -> left m () @ left n () );
    ( scenario "a select of two mvars waits and is stopped, one puts"
        ~who:[ ("P", [ "got a"; "gave up" ]) ]
        ~outcomes:[ "P got a"; "P gave up, a is left" ]
    @@ fun t ->
      let m = Mvar.create () and n = Mvar.create () in
      let p = begun t "P" (choose [ Select_cases.take n got; Select_cases.take m got ]) in
      worker t;
      thread t "S" (put m "a");
      stopper p;
      left m );
    ( scenario "a select to put waits, one takes"
        ~who:[ ("P", [ "put"; "got c" ]); ("T", [ "got first" ]) ]
        ~outcomes:[ "P put, T got first, b is left"; "P got c, T got first" ]
    @@ fun t ->
      let m = Mvar.create ~value:"first" () and n = Mvar.create () in
      waits t "P" (choose [ Select_cases.put m "b" (fun () -> "put"); Select_cases.take n got ]);
      worker t;
      thread t "T" (take m);
      thread t "S" (put n "c");
      fun () -> List.filter (( <> ) "c is left") (left m () @ left n ()) );
    ( scenario "a select of an ivar, one fills" ~who:[ ("P", [ "got a" ]) ] ~outcomes:[ "P got a" ] @@ fun t ->
      let d = Write_once.create () in
      thread t "P" (choose [ Select_cases.put_once d got; Select_cases.never ]);
      thread t "S" (place_put d "a");
      no_more );
    ( scenario "a select of an ivar and a semaphore"
        ~who:[ ("P", [ "got a"; "acquired" ]) ]
        ~outcomes:[ "P got a, a unit is left"; "P acquired" ]
    @@ fun t ->
      let d = Write_once.create () and s = Fiber_semaphore.create 0 in
      thread t "P" (choose [ Select_cases.put_once d got; Select_cases.acquire s (fun () -> "acquired") ]);
      thread t "S" (place_put d "a");
      thread t "R" (fun () ->
          Fiber_semaphore.release s;
          "released");
      fun () -> if Fiber_semaphore.try_acquire s then [ "a unit is left" ] else [] );
    ( scenario "a select of a condition"
        ~who:[ ("P", [ "signalled"; "gave up" ]) ]
        ~outcomes:[ "P signalled"; "P gave up" ]
    @@ fun t ->
      let m = Fiber_mutex.create () and c = Fiber_condition.create () in
      let p =
        begun t "P" (fun () ->
            Fiber_mutex.lock m;
            Fun.protect
              ~finally:(fun () -> Fiber_mutex.unlock m)
              (choose [ Select_cases.condition c m (fun () -> "signalled"); Select_cases.never ]))
      in
      worker t;
      thread t "S" (fun () ->
          Fiber_condition.signal c;
          "signalled");
      stopper p;
      fun () -> if Fiber_mutex.try_lock m then [] else Explore.violate "the mutex is locked" );
  ]

(* --- broadcasts --- *)

let hear s () =
  match Broadcast.recv s with
  | m -> got m
  | exception Broadcast.Lagged n -> "missed " ^ string_of_int n
  | exception Broadcast.Closed -> "found it closed"

let say c m () =
  Broadcast.send c m;
  "sent"

let broadcasts =
  [
    ( scenario "broadcast: one reads, one sends" ~who:[ ("P", [ "got a" ]) ] ~outcomes:[ "P got a" ]
    @@ fun t ->
      let c = Broadcast.create 1 in
      thread t "P" (hear (Broadcast.subscribe c));
      thread t "S" (say c "a");
      no_more );
    ( scenario "broadcast: two read, one is stopped, one sends"
        ~who:[ ("P", [ "got a"; "gave up" ]); ("Q", [ "got a" ]) ]
        ~outcomes:[ "P got a, Q got a"; "P gave up, Q got a" ]
    @@ fun t ->
      let c = Broadcast.create 1 in
      let p = begun t "P" (hear (Broadcast.subscribe c)) in
      waits t "Q" (hear (Broadcast.subscribe c));
      worker t;
      thread t "S" (say c "a");
      stopper p;
      no_more );
    ( scenario "broadcast: one reads, two send, room for one"
        ~who:[ ("P", [ "got a"; "got b"; "missed 1" ]) ]
        ~outcomes:
          [ "P got a, b is next"; "P got b, a is next"; "P missed 1, a is next"; "P missed 1, b is next" ]
    @@ fun t ->
      let c = Broadcast.create 1 in
      let s = Broadcast.subscribe c in
      thread t "P" (hear s);
      thread t "S" (say c "a");
      thread t "T" (say c "b");
      fun () -> [ Option.get (Broadcast.recv_poll s) ^ " is next" ] );
    ( scenario "broadcast: one reads, one sends and closes"
        ~who:[ ("P", [ "got a" ]); ("Q", [ "found it closed"; "got a" ]) ]
        ~outcomes:[ "P got a, Q found it closed" ]
    @@ fun t ->
      let c = Broadcast.create 1 in
      thread t "P" (hear (Broadcast.subscribe c));
      thread t "S" (fun () ->
          let sent = say c "a" () in
          Broadcast.close c;
          sent);
      waits t "Q" (fun () ->
          let s = Broadcast.subscribe c in
          match hear s () with "got a" -> hear s () | how -> how);
      worker t;
      no_more );
  ]
