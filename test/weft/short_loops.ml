open Support
module Known_cost = Weft_loops.Known_cost
module Promise = Weft.Promise

(* Loops whose iterations are known to take no time run in turn, without forks and clocks. Here that is said
   of bodies of any kind: they spin, wait for each other, fail. *)

(* In a pool of one domain; and in a loop that leaves jobs in the deque, where thieves come in the middle. *)
let everywhere test =
  in_each_size (fun () ->
      test ();
      let around _ =
        spin 2_000;
        test ()
      in
      Weft.List.iter around (List.init (tries 30) Fun.id))

let slow i = match Hashtbl.hash i land 63 with 0 -> Weft.yield () | 1 -> spin 20_000 | _ -> ()
let lengths = [ 0; 1; 2; 3; 4; 5; 6; 7; 8; 9; 10; 16; 17; 18; 21; 63; 64; 65; 100; 300 ]

(* Each calls a function for the indices from 0 to n - 1. *)
let loops : (string * (int -> (int -> unit) -> unit)) list =
  let indices n = Array.init n Fun.id in
  [
    ("parallel_for", fun n f -> Weft.parallel_for ~start:0 ~finish:(n - 1) ~body:(cheap f) ());
    ( "parallel_for_blocks",
      fun n f ->
        let body first last =
          for i = first to last do
            f i
          done
        in
        Weft.parallel_for_blocks ~start:0 ~finish:(n - 1) ~body:(cheap body) () );
    ("Array.iter", fun n f -> Weft.Array.iter (cheap f) (indices n));
    ( "Array.map",
      fun n f ->
        let body i =
          f i;
          i
        in
        Alcotest.(check (array int)) "elements" (indices n) (Weft.Array.map (cheap body) (indices n)) );
    ( "parallel_for_reduce",
      fun n f ->
        let body i =
          f i;
          [ i ]
        in
        let all = Weft.parallel_for_reduce ~start:0 ~finish:(n - 1) ~body:(cheap body) ( @ ) [] in
        Alcotest.(check (list int)) "in order" (List.init n Fun.id) all );
    ( "Array.fold",
      fun n f ->
        let add sum i =
          f i;
          sum + i
        in
        check_int "sum" (n * (n - 1) / 2) (Weft.Array.fold ~combine:( + ) (cheap add) 0 (indices n)) );
    ( "parallel_find",
      fun n f ->
        let body i =
          f i;
          None
        in
        let found = Weft.parallel_find ~start:0 ~finish:(n - 1) ~body:(cheap body) () in
        Alcotest.(check (option int)) "nothing" None found );
    ( "Array.exists",
      fun n f ->
        let body i =
          f i;
          false
        in
        Alcotest.(check bool) "nothing" false (Weft.Array.exists (cheap body) (indices n)) );
    ( "parallel_find_first",
      fun n f ->
        let body i =
          f i;
          None
        in
        let found = Weft.parallel_find_first ~start:0 ~finish:(n - 1) ~body:(cheap body) () in
        Alcotest.(check (option int)) "nothing" None found );
  ]

let each_once () =
  everywhere @@ fun () ->
  List.iter
    (fun (what, loop) ->
      List.iter
        (fun n ->
          let ran = Array.init n (fun _ -> Atomic.make 0) in
          loop n (fun i ->
              slow (i + n);
              Atomic.incr ran.(i));
          Array.iteri
            (fun i count -> check_int (Printf.sprintf "%s of %d: %d" what n i) 1 (Atomic.get count))
            ran)
        lengths)
    loops

let check_each_once what ran rounds =
  for i = 0 to Weft.Atomic_array.length ran - 1 do
    let times = Weft.Atomic_array.get ran i in
    if times <> rounds then Alcotest.failf "%s: in %d loops, index %d ran %d times" what rounds i times
  done

let at_the_end_of_int () =
  everywhere @@ fun () ->
  List.iter
    (fun n ->
      let start = max_int - n + 1 and ran = Weft.Atomic_array.make n 0 in
      let run i = Weft.Atomic_array.incr ran (i - start) in
      let block first last =
        for k = 0 to last - first do
          run (first + k)
        done
      in
      let nothing i =
        run i;
        None
      in
      let finish = max_int in
      Weft.parallel_for ~start ~finish ~body:(cheap run) ();
      Weft.parallel_for_blocks ~start ~finish ~body:(cheap block) ();
      check_int "sum" n
        (Weft.parallel_for_reduce ~start ~finish
           ~body:
             (cheap (fun i ->
                  run i;
                  1))
           ( + ) 0);
      check "any" (Weft.parallel_find ~start ~finish ~body:(cheap nothing) () = None);
      check "first" (Weft.parallel_find_first ~start ~finish ~body:(cheap nothing) () = None);
      check_each_once "max_int" ran 5)
    (List.tl lengths)

(* The runtime calls finalisers at the polls of the compiled code, also between two indices. One that waits promotes
   the loop there. *)
let finalisers_wait () =
  [ 1; 2 ]
  |> List.iter @@ fun domains ->
     Weft.run ~domains @@ fun () ->
     let n = 40 and over = Atomic.make false in
     let collect () =
       while not (Atomic.get over) do
         Gc.minor ();
         spin 200
       done
     in
     let collector = Domain.spawn collect in
     let finally () =
       Atomic.set over true;
       Domain.join collector
     in
     Fun.protect ~finally @@ fun () ->
     let least = Testing.Effort.count ~quick:5_000 ~usual:30_000 ~long:1_000_000 in
     List.iter
       (fun (what, loop) ->
         let ran = Weft.Atomic_array.make n 0 and rounds = ref 0 and called = Atomic.make false in
         let finaliser () =
           Atomic.set called true;
           Weft.yield ()
         in
         while !rounds < least || not (Atomic.get called) do
           incr rounds;
           Gc.finalise_last finaliser (ref !rounds);
           loop n (Weft.Atomic_array.incr ran)
         done;
         check_each_once what ran !rounds)
       loops

(* Of these, one iteration may wait for the next ones; the others of its block may not. *)
let the_first_waits () =
  everywhere @@ fun () ->
  List.iter
    (fun (what, loop) ->
      if what <> "parallel_find_first" then
        List.iter
          (fun n ->
            let last = Promise.create () in
            let body i =
              if i = 0 then Weft.await last;
              if i = n - 1 then Promise.resolve last ()
            in
            watched (fun () -> Printf.sprintf "%s of %d" what n) (fun () -> loop n body))
          (* The leaves of longer reductions have more than one element. *)
          [ 2; 3; 4; 5; 6; 7; 8; 10; 17; 40; 63 ])
    loops

let failures () =
  Weft.set_suppressed_handler (fun _ _ -> ());
  Fun.protect ~finally:(fun () -> Weft.set_suppressed_handler (fun _ _ -> ())) @@ fun () ->
  everywhere @@ fun () ->
  List.iter
    (fun (what, loop) ->
      List.iter
        (fun (n, least) ->
          let ran = Atomic.make [] in
          let rec note i =
            let was = Atomic.get ran in
            if not (Atomic.compare_and_set ran was (i :: was)) then note i
          in
          let body i =
            slow i;
            if i >= least then begin
              note i;
              raise (Planned i)
            end
          in
          match loop n body with
          | () -> Alcotest.failf "%s: no exception" what
          | exception Planned i ->
              check_int (what ^ ": the smallest that ran") (List.fold_left min n (Atomic.get ran)) i)
        [ (2, 0); (2, 1); (5, 3); (6, 4); (7, 6); (8, 5); (10, 0); (10, 7); (20, 17); (100, 60); (100, 99) ])
    loops

(* A token that is cancelled in a body ends the loop, also one whose rest is elsewhere. *)
let cancelled () =
  everywhere @@ fun () ->
  List.iter
    (fun (what, loop) ->
      List.iter
        (fun (n, waits) ->
          let token = Weft.Cancel.create () and last = Promise.create () in
          let body i =
            if waits && i = 0 then Weft.await last;
            if i = n / 2 then Weft.Cancel.cancel token
          in
          if not (waits && what = "parallel_find_first") then
            match
              Weft.Cancel.within token (fun () ->
                  loop n body;
                  Weft.Cancel.check ())
            with
            | () -> Alcotest.failf "%s: not cancelled" what
            | exception Weft.Cancel.Cancelled _ -> ())
        [ (2, true); (10, true); (40, true); (10, false); (100, false) ])
    loops

(* Of a search for any element: what one answers or raises ends those that wait, before and after it. *)
let answers_end_what_waits () =
  everywhere @@ fun () ->
  let searches =
    [
      ("Array.exists", fun n f -> Weft.Array.exists (cheap f) (Array.init n Fun.id));
      ( "parallel_find",
        fun n f ->
          let body i = if f i then Some i else None in
          Weft.parallel_find ~start:0 ~finish:(n - 1) ~body:(cheap body) () = Some (n - 1) );
    ]
  in
  let test n (what, search) =
    let at_the_last answer i =
      if i = 0 then Weft.await (Promise.create ());
      i = n - 1 && answer ()
    in
    let what = Printf.sprintf "%s of %d" what n in
    watched (fun () -> what) @@ fun () ->
    check what (search n (at_the_last (fun () -> true)));
    let at_the_first i =
      if i = 0 then Weft.yield () else Weft.await (Promise.create ());
      true
    in
    ignore (search n at_the_first : bool);
    match search n (at_the_last (fun () -> raise (Planned n))) with
    | _ -> Alcotest.failf "%s: no exception" what
    | exception Planned m -> check_int what n m
  in
  List.iter (fun n -> List.iter (test n) searches) [ 2; 3; 5; 20; 63; 200 ]

(* What is combined with what, in words: in reductions of unknown cost, and in those that should be short. *)
let same_trees () =
  let combine = Printf.sprintf "(%s %s)" in
  let tree start n ~waits =
    let body i =
      if waits && Hashtbl.hash (i, n) land 15 = 0 then Weft.yield ();
      string_of_int i
    in
    Weft.parallel_for_reduce ~start ~finish:(start + n - 1) ~body:(cheap body) combine ""
  and expected start n =
    Weft.parallel_for_reduce ~start ~finish:(start + n - 1) ~body:string_of_int combine ""
  in
  let ns = List.init 40 (fun k -> k + 1) @ [ 63; 64; 65; 100; 127; 500 ] in
  let all ~waits = List.concat_map (fun n -> List.map (fun start -> tree start n ~waits) [ -7; 0; 3 ]) ns in
  let plain =
    Weft.run ~domains:1 (fun () ->
        List.concat_map (fun n -> List.map (fun start -> expected start n) [ -7; 0; 3 ]) ns)
  in
  everywhere (fun () ->
      Alcotest.(check (list string)) "the trees" plain (all ~waits:false);
      Alcotest.(check (list string)) "the trees, with bodies that wait" plain (all ~waits:true))

(* What was short before spreads when its iterations wait for each other, out of the scheduler's sight. *)
let coarse_ones_spread () =
  List.iter
    (fun domains ->
      Weft.run ~domains @@ fun () ->
      List.iter
        (fun (what, loop) ->
          for _ = 1 to 3 do
            let begun = Atomic.make 0 in
            loop (4 * domains) (fun _ ->
                Atomic.incr begun;
                wait_until (what ^ ": all domains take part") (fun () -> Atomic.get begun >= domains))
          done)
        loops)
    [ 2; 3 ]

(* The same while no other worker has a thread: one must be respawned. *)
let coarse_ones_spread_from_one_domain () =
  Weft.Pool.with_pool ~domains:2 @@ fun pool ->
  Weft.Pool.run pool @@ fun () ->
  List.iter
    (fun (what, loop) ->
      for _ = 1 to tries 3 do
        wait_until "the other domain has retired" (fun () ->
            Gc.minor ();
            (* On the other domain, this fiber would wait for its own. *)
            if Weft.Pool.worker_index () <> 0 then Weft.sleep 0.001;
            (* Looks whether this worker is preempted, and wakes nobody. *)
            Weft.parallel_for ~start:0 ~finish:0 ~body:ignore ();
            Weft.Pool.live_domains pool = 1);
        let begun = Atomic.make 0 in
        loop 8 (fun _ ->
            Atomic.incr begun;
            wait_until (what ^ ": both domains take part") (fun () -> Atomic.get begun >= 2))
      done)
    loops

(* Where the answer makes the exception of the others superfluous. *)
let exceptions_of_the_rest_are_told () =
  let told = Atomic.make 0 in
  Weft.set_suppressed_handler (fun _ _ -> Atomic.incr told);
  Fun.protect ~finally:(fun () -> Weft.set_suppressed_handler (fun _ _ -> ())) @@ fun () ->
  Weft.run ~domains:2 @@ fun () ->
  List.iter
    (fun (what, find) ->
      let raised = Atomic.make false in
      let body i =
        if i = 0 then begin
          wait_until "another one has failed" (fun () -> Atomic.get raised);
          Some i
        end
        else begin
          Atomic.set raised true;
          raise (Planned i)
        end
      in
      Atomic.set told 0;
      Alcotest.(check (option int)) what (Some 0) (find (cheap body));
      check (what ^ ": told") (Atomic.get told > 0))
    [
      ("first", fun body -> Weft.parallel_find_first ~start:0 ~finish:7 ~body ());
      ("first of 40", fun body -> Weft.parallel_find_first ~start:0 ~finish:39 ~body ());
    ]

(* --- what is known --- *)

let learnt () =
  let code = 12345 in
  let k = Known_cost.of_code code in
  let is_short d = Known_cost.is_short k code d in
  known code;
  Known_cost.learn k code 10;
  check "nine" (is_short 9);
  check "ten" (not (is_short 10));
  check "another code" (not (Known_cost.is_short (Known_cost.of_code 54321) 54321 0));
  (* Each time, it takes longer to be believed again; but not for ever. *)
  let lessons () =
    Known_cost.distrust k code;
    check "not now" (not (is_short 1));
    let rec go n =
      if is_short 1 then n
      else begin
        Known_cost.learn k code 10;
        go (n + 1)
      end
    in
    go 0
  in
  let counts = List.init 12 (fun _ -> lessons ()) in
  check "longer each time" (List.sort compare counts = counts && List.hd counts > 1);
  check "not for ever" (List.nth counts 11 <= 1025);
  check "nothing is known of no code"
    (not (Known_cost.is_short (Known_cost.of_code Known_cost.none) Known_cost.none 0))

let tests =
  [
    case "each index runs once" each_once;
    case "ranges that end with max_int" at_the_end_of_int;
    case "each index runs once though finalisers wait between them" finalisers_wait;
    case "a body that waits does not hold up others" the_first_waits;
    case "the smallest failing index that ran wins" failures;
    case "short loops are cancelled" cancelled;
    case "what an element answers or raises ends those that wait" answers_end_what_waits;
    case "the trees of reductions are the same" same_trees;
    case "coarse ones spread, whatever they were before" (all_at_once coarse_ones_spread);
    case "coarse ones spread, though the other domain has retired" coarse_ones_spread_from_one_domain;
    case "exceptions of the rest of a search are told" exceptions_of_the_rest_are_told;
    case "a cost is learnt, and distrusted" learnt;
  ]
