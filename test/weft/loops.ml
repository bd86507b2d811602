open Support
module Pool = Weft.Pool

(* parallel_for, and what all loops share: ranges, spreading, failures. *)

(* The ways in which a test calls loops: in a pool of each size, and outside of any pool. *)
type place = { name : string; domains : int; call : 'a. (unit -> 'a) -> 'a }

let everywhere test =
  on_each_size (fun pool ->
      let domains = Pool.domains pool in
      test { name = Printf.sprintf "%d domains" domains; domains; call = (fun f -> Pool.run pool f) });
  test { name = "outside"; domains = Pool.default_domains (); call = (fun f -> f ()) }

(* Calls [f 0], ..., [f (n - 1)] in a new thread each; raises the first exception. *)
let in_threads n f =
  let results = Array.make n (Ok ()) in
  let run i = try f i with exn -> results.(i) <- Error (exn, Printexc.get_raw_backtrace ()) in
  List.iter Thread.join (List.init n (fun i -> Thread.create run i));
  Array.iter
    (function Ok () -> () | Error (exn, backtrace) -> Printexc.raise_with_backtrace exn backtrace)
    results

(* The order differs in each run of a test: the next caller gets the next number. *)
let noise_count = Atomic.make 0

let noise () =
  let h = Hashtbl.hash (Atomic.fetch_and_add noise_count 1) land 255 in
  if h < 4 then Weft.yield () else if h < 16 then spin (h * 400)

(* With a tiny minor heap and more domains than processors, collections take most of the time. *)
let often n = if is_tiny then 1 + (tries n / 8) else tries n

(* --- every index exactly once --- *)

(* Runs a loop over [n] indices from [start] on, and checks that each ran once. [start + n - 1] may be
   [max_int]. *)
let covers ?chunk_size ?(work = ignore) place ~start n =
  let marks = Array.init n (fun _ -> Atomic.make 0) and astray = Atomic.make 0 in
  let body i =
    let k = i - start in
    if k >= 0 && k < n then Atomic.incr marks.(k) else Atomic.incr astray;
    work k
  in
  place.call (fun () -> Weft.parallel_for ?chunk_size ~start ~finish:(start + n - 1) ~body ());
  let complain what k times =
    Alcotest.failf "%s, %d from %d, chunk %s: %s %d ran %d times" place.name n start
      (match chunk_size with None -> "free" | Some c -> string_of_int c)
      what k times
  in
  if Atomic.get astray > 0 then complain "out of the range" 0 (Atomic.get astray);
  Array.iteri (fun k m -> if Atomic.get m <> 1 then complain "number" k (Atomic.get m)) marks

let chunks n = [ None; Some 1; Some 2; Some 3; Some 7; Some (n + 1); Some max_int ]

let small_ranges () =
  everywhere @@ fun place ->
  for n = 1 to often 100 do
    covers place ~start:0 n;
    let start = match n mod 4 with 0 -> max_int - n + 1 | 1 -> min_int | 2 -> -n / 2 | _ -> 17 in
    List.iter (fun chunk_size -> covers ?chunk_size place ~start n) (chunks n)
  done

let large_ranges () =
  let rand = Random.State.make [| 5 |] in
  everywhere @@ fun place ->
  for round = 1 to 6 do
    let n = 1 + Random.State.int rand (if round = 1 then often 100_000 else often 20_000) in
    let start = match round with 1 -> 0 | 2 -> max_int - n + 1 | 3 -> min_int | 4 -> -n / 2 | _ -> -1 in
    covers place ~start n;
    List.iter
      (fun chunk_size -> covers ~chunk_size place ~start n)
      [ 1 + Random.State.int rand 9; (n / 2) + 1 ]
  done

let empty_ranges () =
  everywhere @@ fun place ->
  List.iter
    (fun (start, finish) ->
      place.call (fun () ->
          let body i = Alcotest.failf "body %d of an empty range" i in
          Weft.parallel_for ~start ~finish ~body ();
          check_int "reduce" 7 (Weft.parallel_for_reduce ~start ~finish ~body ( + ) 7);
          let block first _ = body first in
          Weft.parallel_for_blocks ~start ~finish ~body:block ();
          Weft.parallel_for_blocks ~chunk_size:2 ~start ~finish ~body:block ();
          check_int "blocks" 7 (Weft.parallel_for_reduce_blocks ~start ~finish ~body:block ( + ) 7);
          let none = Alcotest.(check bool) "none" true in
          none (Weft.parallel_find ~start ~finish ~body () = None);
          none (Weft.parallel_find_first ~start ~finish ~body () = None)))
    [ (0, -1); (1, 0); (max_int, min_int); (max_int, max_int - 1); (min_int + 1, min_int); (5, -5) ]

let chunks_too_small () =
  let invalid who f =
    List.iter (fun c -> raises_invalid who (who ^ ": ") (fun () -> f c)) [ 0; -1; min_int ]
  in
  let test () =
    List.iter
      (fun (start, finish) ->
        let body i = Alcotest.failf "body %d ran" i in
        invalid "Weft.parallel_for" (fun chunk_size -> Weft.parallel_for ~chunk_size ~start ~finish ~body ());
        invalid "Weft.parallel_for_reduce" (fun chunk_size ->
            Weft.parallel_for_reduce ~chunk_size ~start ~finish ~body ( + ) 0);
        invalid "Weft.parallel_find" (fun chunk_size ->
            Weft.parallel_find ~chunk_size ~start ~finish ~body ());
        invalid "Weft.parallel_find_first" (fun chunk_size ->
            Weft.parallel_find_first ~chunk_size ~start ~finish ~body ()))
      [ (0, 9); (0, 0); (1, 0) ]
  in
  test ();
  in_each_size test

let chunks_bound_groups () =
  (* With chunks of one, no iteration waits behind another while somebody is idle: see also the tests of
     spreading. With chunks as large as the range, all run in one fiber, in order. *)
  in_each_size @@ fun () ->
  let last = ref (-1) in
  let body i =
    check_int "in order" (!last + 1) i;
    last := i
  in
  Weft.parallel_for ~chunk_size:1000 ~start:0 ~finish:999 ~body ();
  check_int "all" 999 !last

let from_several_threads () =
  everywhere @@ fun place ->
  in_threads 4 (fun i ->
      for round = 1 to often 5 do
        let n = 1 + (997 * (i + round) mod 3000) in
        covers place ~start:(i * round) n ~work:(fun k -> if k land 255 = 0 then noise ())
      done)

(* --- bodies of all kinds --- *)

let irregular () =
  everywhere @@ fun place ->
  covers place ~start:0 3000 ~work:(fun k -> spin (Hashtbl.hash k land 1023));
  covers place ~start:0 2000 ~work:(fun k -> if k mod 500 = 3 then spin 1_000_000);
  covers place ~start:0 40 ~work:(fun k -> if k land 7 = 0 then Unix.sleepf 0.002)

let yielding () =
  everywhere @@ fun place ->
  covers place ~start:0 (often 2000) ~work:(fun k -> if k land 3 = 0 then Weft.yield ());
  covers place ~start:0 (often 500) ~work:(fun _ -> Weft.yield ());
  covers place ~chunk_size:3 ~start:0 500 ~work:(fun _ -> noise ())

let nested () =
  everywhere @@ fun place ->
  let shape = [| 3; 7; 4; 5; often 11 |] in
  let total = Array.fold_left ( * ) 1 shape in
  let marks = Array.init total (fun _ -> Atomic.make 0) in
  let rec loop depth code () =
    if depth = Array.length shape then Atomic.incr marks.(code)
    else
      Weft.parallel_for ~start:0
        ~finish:(shape.(depth) - 1)
        ~body:(fun i ->
          if depth = 3 then noise ();
          loop (depth + 1) ((code * shape.(depth)) + i) ())
        ()
  in
  place.call (loop 0 0);
  Array.iteri (fun k m -> check_int (Printf.sprintf "%s: leaf %d" place.name k) 1 (Atomic.get m)) marks

let forks_and_promises_inside () =
  everywhere @@ fun place ->
  covers place ~start:0 (often 300) ~work:(fun k ->
      match k mod 4 with
      | 0 -> check_int "fib" 144 (fib 12)
      | 1 ->
          let p =
            Weft.async (fun () ->
                spin 2_000;
                k)
          in
          noise ();
          check_int "promise" k (Weft.await p)
      | 2 -> check_int "sum" 4950 (Weft.parallel_for_reduce ~start:0 ~finish:99 ~body:Fun.id ( + ) 0)
      | _ -> ());
  (* The body starts a task that may outlive it. *)
  let ps = Array.make 500 None in
  place.call (fun () ->
      Weft.parallel_for ~start:0 ~finish:499 ~body:(fun i -> ps.(i) <- Some (Weft.async (fun () -> i))) ());
  Array.iteri (fun i p -> check_int "promise" i (Weft.await (Option.get p))) ps

let in_other_pools () =
  Pool.with_pool ~domains:2 @@ fun other ->
  everywhere @@ fun place ->
  covers place ~start:0 24 ~work:(fun _ ->
      Pool.run other (fun () -> covers { place with call = (fun f -> f ()) } ~start:(-20) 100))

(* --- iterations spread --- *)

(* A body each call of which waits until [k] calls have begun: they must run at the same time. *)
let gathering what k =
  let begun = Atomic.make 0 in
  fun _ ->
    Atomic.incr begun;
    wait_until (Printf.sprintf "%s: %d run at the same time" what k) (fun () -> Atomic.get begun >= k)

(* Where success depends on the state of the deques at that moment, or on who comes first: runs [test ()]
   again and again until it succeeds. *)
let until_it_happens what test =
  watched
    (fun () -> what ^ ", at last")
    (fun () ->
      while not (test ()) do
        ()
      done)

(* The same for expensive bodies that do not wait for each other: the largest number that run at one time. *)
let crowd () =
  let peak = Testing.Peak.create () in
  let body _ = Testing.Peak.within peak (fun () -> Unix.sleepf 0.004) in
  (body, fun () -> Testing.Peak.most peak)

let pools_that_spread test =
  List.iter
    (fun domains ->
      Pool.with_pool ~domains (fun p ->
          test (Printf.sprintf "%d domains" domains) domains (fun f -> Pool.run p f)))
    [ 2; 3; 8 ]

let coarse_bodies_spread () =
  pools_that_spread @@ fun name domains run ->
  List.iter
    (fun (what, n, chunk_size) ->
      for _ = 1 to 5 do
        let body = gathering (Printf.sprintf "%s, %s" name what) domains in
        run (fun () -> Weft.parallel_for ?chunk_size ~start:0 ~finish:(n - 1) ~body ())
      done)
    [
      ("as many as domains", domains, None);
      ("eight", 8, None);
      ("eight in chunks of one", 8, Some 1);
      ("a thousand", 1000, None);
      ("a thousand in chunks of ten", 1000, Some 10);
    ]

let reductions_spread () =
  pools_that_spread @@ fun name domains run ->
  List.iter
    (fun n ->
      let body = gathering (Printf.sprintf "%s, %d" name n) domains in
      let sum =
        run (fun () ->
            Weft.parallel_for_reduce ~start:1 ~finish:n
              ~body:(fun i ->
                body i;
                i)
              ( + ) 0)
      in
      check_int "sum" (n * (n + 1) / 2) sum)
    [ domains; 8; 1000 ]

(* There is a single leaf: its first element shows that elements are expensive, so the others are spread. *)
let leaves_spread () =
  pools_that_spread @@ fun name domains run ->
  List.iter
    (fun n ->
      let body = gathering (Printf.sprintf "%s, a leaf of %d" name n) domains in
      let together =
        run (fun () ->
            Weft.parallel_for_reduce ~chunk_size:n ~start:1 ~finish:n
              ~body:(fun i ->
                if i = 1 then Unix.sleepf 0.001 else body i;
                [ i ])
              ( @ ) [])
      in
      Alcotest.(check (list int)) "in order" (List.init n succ) together)
    [ domains + 1; 100 ]

let searches_spread () =
  pools_that_spread @@ fun name domains run ->
  List.iter
    (fun n ->
      let body = gathering (name ^ ", any") domains in
      let found =
        run (fun () ->
            Weft.parallel_find ~start:1 ~finish:n
              ~body:(fun i ->
                body i;
                None)
              ())
      in
      Alcotest.(check (option int)) "nothing" None found;
      let body = gathering (name ^ ", first") domains in
      let found =
        run (fun () ->
            Weft.parallel_find_first ~start:1 ~finish:n
              ~body:(fun i ->
                body i;
                None)
              ())
      in
      Alcotest.(check (option int)) "nothing" None found)
    [ 8; 1000 ]

let expensive_ends_spread () =
  (* The failing body is among iterations of some microseconds, where blocks are short. *)
  pools_that_spread @@ fun name domains run ->
  let cheap = 1500 and dear = 60 in
  let n = cheap + dear in
  List.iter
    (fun (what, is_dear) ->
      let least = min domains 4 in
      until_it_happens (Printf.sprintf "%s, %s: %d at a time" name what least) @@ fun () ->
      let body, most = crowd () in
      let body i = if is_dear i then body i else spin 8_000 in
      run (fun () -> Weft.parallel_for ~start:0 ~finish:(n - 1) ~body ());
      most () >= least)
    [
      ("at the end", fun i -> i >= cheap);
      ("at the beginning", fun i -> i < dear);
      ("in the middle", fun i -> i >= cheap / 2 && i < (cheap / 2) + dear);
    ]

let a_leaf_is_split () =
  (* Parts have five iterations. The rightmost part has nothing behind it in the deque, so once its first
     iteration is over, the other four are halved. By then blocks must have shrunk again, since the first
     half of the range is cheap. *)
  Weft.run ~domains:2 @@ fun () ->
  until_it_happens "the last two run at the same time" @@ fun () ->
  let n = 640 in
  let body, most = crowd () in
  let body i = if i >= n - 2 then body i else spin (if i < n / 2 then 100 else 40_000) in
  Weft.parallel_for ~start:0 ~finish:(n - 1) ~body ();
  most () = 2

let a_tree_is_split () =
  (* The same for a subtree: a thief gets the greatest right half that is left. *)
  Weft.run ~domains:2 @@ fun () ->
  for _ = 1 to 3 do
    let n = 640 in
    let body = gathering "the last four" 2 in
    let body i =
      if i >= n - 4 then body i else spin 40_000;
      1
    in
    check_int "sum" n (Weft.parallel_for_reduce ~chunk_size:1 ~start:0 ~finish:(n - 1) ~body ( + ) 0)
  done

let splits_inside_full_deques () =
  (* The deque holds so many jobs that the inner loops do not split at first; once those jobs are gone, the
     remaining iterations must spread all the same. *)
  pools_that_spread @@ fun name domains run ->
  let least = min domains 3 in
  until_it_happens (Printf.sprintf "%s: %d at a time" name least) (fun () ->
      let body, most = crowd () in
      run (fun () ->
          (* Twelve levels of forks, whose right sides lie in the deque, and a loop at the bottom. *)
          let rec nest depth =
            if depth = 0 then Weft.parallel_for ~start:0 ~finish:39 ~body ()
            else
              let (), () = Weft.par (fun () -> nest (depth - 1)) (fun () -> spin 10_000) in
              ()
          in
          nest 12);
      most () >= least);
  let body = gathering name domains in
  run (fun () ->
      Weft.parallel_for ~start:0 ~finish:15
        ~body:(fun _ ->
          Weft.parallel_for ~start:0 ~finish:3
            ~body:(fun _ -> Weft.parallel_for ~start:0 ~finish:3 ~body ())
            ())
        ())

(* --- failures --- *)

(* For loops that must begin no new iteration once they are told to end. Until [known]'s body has told
   them, they may: an iteration that begins meanwhile waits there for the request to arrive. That is at
   most one iteration for each other worker; a loop that goes on in spite of the request begins more. *)
type stopping = { told : bool Atomic.t; late : int Atomic.t }

let stopping () = { told = Atomic.make false; late = Atomic.make 0 }
let has_arrived () = match Weft.Cancel.check () with () -> false | exception Weft.Cancel.Cancelled _ -> true

let begins s =
  if Atomic.get s.told then begin
    Atomic.incr s.late;
    wait_until "the request arrives" has_arrived
  end

let stopped what s ~domains =
  let late = Atomic.get s.late in
  if late > domains - 1 then Alcotest.failf "%s: %d more iterations on %d domains" what late domains

let[@inline never] culprit i = if i >= 0 then raise (Planned i)

let rec lower_to cell i =
  let was = Atomic.get cell in
  if i < was && not (Atomic.compare_and_set cell was i) then lower_to cell i

let rec add_to cell x =
  let was = Atomic.get cell in
  if not (Atomic.compare_and_set cell was (x :: was)) then add_to cell x

let with_suppressed test =
  let suppressed = Atomic.make [] in
  Weft.set_suppressed_handler (fun exn _ ->
      match exn with Planned i -> add_to suppressed i | exn -> raise exn);
  Fun.protect
    ~finally:(fun () -> Weft.set_suppressed_handler (fun _ _ -> ()))
    (fun () -> test (fun () -> Atomic.exchange suppressed []))

let smallest_failure_wins () =
  with_suppressed @@ fun suppressed ->
  everywhere @@ fun place ->
  List.iter
    (fun (n, fails, chunk_size) ->
      let smallest = Atomic.make max_int and failed = Atomic.make [] in
      let body i =
        noise ();
        if fails i then begin
          lower_to smallest i;
          add_to failed i;
          culprit i
        end
      in
      match place.call (fun () -> Weft.parallel_for ?chunk_size ~start:0 ~finish:(n - 1) ~body ()) with
      | () -> Alcotest.failf "%s: no exception" place.name
      | exception Planned i ->
          check_int (place.name ^ ": the smallest that ran") (Atomic.get smallest) i;
          let others = List.filter (( <> ) i) (Atomic.get failed) in
          Alcotest.(check (list int))
            "the others go to the handler" (List.sort compare others)
            (List.sort compare (suppressed ())))
    (List.concat
       (List.init (often 10) (fun k ->
            [
              (1, Fun.const true, None);
              (8, Fun.const true, None);
              (64, (fun i -> i land 3 = k land 3), Some 2);
              (3000, (fun i -> i mod 100 = 3 * k), None);
              (3000, (fun i -> i = 2999), None);
              (500, (fun i -> i > 5 * k), Some 7);
            ])))

let nothing_new_after_a_failure () =
  everywhere @@ fun place ->
  List.iter
    (fun bad ->
      let s = stopping () in
      let body i =
        begins s;
        Unix.sleepf 0.0002;
        if i = bad then begin
          Atomic.set s.told true;
          culprit i
        end
      in
      (match place.call (fun () -> Weft.parallel_for ~chunk_size:1 ~start:0 ~finish:1999 ~body ()) with
      | () -> Alcotest.failf "%s: no exception" place.name
      | exception Planned i -> check_int "index" bad i);
      stopped (Printf.sprintf "%s, after failure %d" place.name bad) s ~domains:place.domains;
      covers place ~start:0 100)
    [ 0; 3; 77 ]

let huge_ranges_end_early () =
  everywhere @@ fun place ->
  List.iter
    (fun (start, finish) ->
      let failed = Atomic.make false in
      let body i =
        if i land 0xFFFF = 0xABCD then begin
          Atomic.set failed true;
          raise (Planned 1)
        end
      in
      (match place.call (fun () -> Weft.parallel_for ~start ~finish ~body ()) with
      | () -> Alcotest.fail "the end of a huge range"
      | exception Planned 1 -> ());
      Alcotest.(check bool) "ran" true (Atomic.get failed);
      let found find =
        let answer i = if i land 0xFFFF = 0xABCD then Some i else None in
        place.call (fun () -> find ~start ~finish ~body:answer ())
      in
      (match found (Weft.parallel_find ?chunk_size:None) with
      | Some i when i land 0xFFFF = 0xABCD && start <= i && i <= finish -> ()
      | _ -> Alcotest.fail "no answer, or a wrong one");
      let rec first i = if i land 0xFFFF = 0xABCD then i else first (i + 1) in
      Alcotest.(check (option int))
        "the first"
        (Some (first start))
        (found (Weft.parallel_find_first ?chunk_size:None)))
    [ (min_int, max_int); (0, max_int); (min_int, -1); (-3, max_int - 1); (min_int + 7, 12); (1, max_int) ]

let backtraces_name_the_origin () =
  let before = Printexc.backtrace_status () in
  Printexc.record_backtrace true;
  Fun.protect ~finally:(fun () -> Printexc.record_backtrace before) @@ fun () ->
  let names_culprit what f =
    match f () with
    | () -> Alcotest.failf "%s: no exception" what
    | exception Planned _ ->
        let backtrace = Printexc.get_backtrace () in
        if not (Testing.Text.contains "culprit" backtrace) then
          Alcotest.failf "%s: the backtrace does not name the origin:\n%s" what backtrace
  in
  (* Any one of the bodies fails: on the caller's domain and on others. *)
  on_each_size @@ fun pool ->
  let from = ref 0 in
  for bad = 0 to 15 do
    let body i =
      spin 2_000;
      if i >= bad then culprit i
    in
    let some i =
      body i;
      None
    in
    incr from;
    let inside what f = names_culprit what (fun () -> Pool.run pool f) in
    inside "for" (fun () -> Weft.parallel_for ~start:0 ~finish:15 ~body ());
    inside "reduce" (fun () -> Weft.parallel_for_reduce ~start:0 ~finish:15 ~body (fun () () -> ()) ());
    inside "combine" (fun () ->
        ignore
          (Weft.parallel_for_reduce ~start:0 ~finish:15 ~body:Fun.id
             (fun a b ->
               if b >= bad then culprit b;
               a)
             (-1)));
    inside "scan" (fun () ->
        ignore
          (Weft.parallel_scan
             (fun a b ->
               if b >= bad then culprit b;
               a)
             (Array.init 17 Fun.id)));
    inside "find" (fun () -> ignore (Weft.parallel_find ~start:0 ~finish:15 ~body:some ()));
    inside "find_first" (fun () -> ignore (Weft.parallel_find_first ~start:0 ~finish:15 ~body:some ()))
  done

let interrupted () =
  (* The calling thread sends Ctrl-C in a body. Without it the loop does not end. *)
  let before = Sys.signal Sys.sigint (Signal_handle (fun _ -> raise Sys.Break)) in
  Fun.protect ~finally:(fun () -> Sys.set_signal Sys.sigint before) @@ fun () ->
  on_each_size @@ fun pool ->
  let caller = Domain.self () in
  for round = 1 to 3 do
    let ran = Atomic.make 0 and sent = Atomic.make false in
    let body _ =
      Atomic.incr ran;
      spin 2_000;
      if Domain.self () = caller && Atomic.get ran > 300 * round && not (Atomic.exchange sent true) then
        Unix.kill (Unix.getpid ()) Sys.sigint
    in
    match Pool.run pool (fun () -> Weft.parallel_for ~start:0 ~finish:(max_int - 1) ~body ()) with
    | () -> Alcotest.fail "no Break"
    | exception Sys.Break -> ()
  done;
  covers { name = "after Break"; domains = 0; call = (fun f -> Pool.run pool f) } ~start:0 1000

(* --- garbage --- *)

(* Full collections take long with many domains. *)
let in_pools_of_two_and_three test = List.iter (fun domains -> Weft.run ~domains test) [ 2; 3 ]

let nothing_is_kept () =
  in_pools_of_two_and_three @@ fun () ->
  let[@inline never] loop () =
    let block, weak = mortal () in
    let body i = if Array.length block < i then raise (Planned i) in
    Weft.parallel_for ~start:0 ~finish:500 ~body ();
    (match Weft.parallel_for ~start:0 ~finish:2000 ~body () with
    | () -> Alcotest.fail "no exception"
    | exception Planned _ -> ());
    ignore
      (Weft.parallel_find ~start:0 ~finish:300
         ~body:(fun i ->
           body i;
           None)
         ());
    ignore (Weft.parallel_for_reduce ~start:0 ~finish:300 ~body (fun () () -> ()) ());
    weak
  in
  (* A thief may keep what it has stolen and not yet claimed. *)
  wait_for_death "the bodies' closures" (loop ())

let many_loops_leave_nothing () =
  in_pools_of_two_and_three @@ fun () ->
  let cell = ref 0 in
  let loops n =
    for k = 1 to n do
      Weft.parallel_for ~start:0 ~finish:9 ~body:(fun i -> if i = k land 7 then cell := k) ();
      if k land 31 = 0 then ignore (Weft.parallel_for_reduce ~start:0 ~finish:9 ~body:Fun.id ( + ) 0)
    done
  in
  Option.iter
    (Alcotest.failf "%d words are left of the loops")
    (Testing.Memory.grows ~slack:20_000 (fun () -> loops (often 60_000)))

let a_single_iteration_is_in_a_pool () =
  let inside = ref false in
  Weft.parallel_for ~start:3 ~finish:3 ~body:(fun _ -> inside := Weft.Pool.current () <> None) ();
  Alcotest.(check bool) "loop" true !inside;
  let inside =
    Weft.parallel_for_reduce ~start:3 ~finish:3 ~body:(fun _ -> Weft.Pool.current () <> None) ( || ) false
  in
  Alcotest.(check bool) "reduction" true inside

let tests =
  [
    case "a single iteration runs in a pool too" a_single_iteration_is_in_a_pool;
    case "every index of a small range runs exactly once" small_ranges;
    case "every index of a large range runs exactly once" large_ranges;
    case "empty ranges run nothing" empty_ranges;
    case "a chunk size below 1 is invalid, for empty ranges too" chunks_too_small;
    case "a chunk as large as the range runs in order" chunks_bound_groups;
    case "loops from several threads" from_several_threads;
    case "irregular bodies" irregular;
    case "bodies that yield" yielding;
    case "loops nested five deep" nested;
    case "forks and promises inside loops" forks_and_promises_inside;
    case "loops in other pools inside loops" in_other_pools;
    case "coarse bodies run on all domains" (all_at_once coarse_bodies_spread);
    case "coarse bodies of reductions run on all domains" (all_at_once reductions_spread);
    case "dear elements of a single leaf run on all domains" (all_at_once leaves_spread);
    case "coarse bodies of searches run on all domains" (all_at_once searches_spread);
    case "expensive iterations spread wherever they are" (all_at_once expensive_ends_spread);
    case "a part with nothing behind it is split when others idle" (all_at_once a_leaf_is_split);
    case "a subtree is given away when others idle" (all_at_once a_tree_is_split);
    case "loops inside full deques split later" (all_at_once splits_inside_full_deques);
    case "the smallest failing index that ran wins" smallest_failure_wins;
    case "no new iterations start after a failure" nothing_new_after_a_failure;
    case "huge ranges end as soon as they may" huge_ranges_end_early;
    case "backtraces name the body that raised" backtraces_name_the_origin;
    case "an interrupted body ends the loop" interrupted;
    case "a finished loop keeps nothing alive" nothing_is_kept;
    case "many loops leave nothing behind" many_loops_leave_nothing;
  ]
