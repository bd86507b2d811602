open Weft_bench_harness
open Weft_bench_suites
open Weft_bench_contestants

let fib_has_its_known_values () =
  Alcotest.(check (list int)) "first" [ 0; 1; 1; 2; 3; 5; 8 ] (List.init 7 Fib.value);
  Alcotest.(check int) "40" 102_334_155 (Fib.value 40)

let forks_of_fib_are_its_inner_calls () =
  let rec inner n = if n < 2 then 0 else 1 + inner (n - 1) + inner (n - 2) in
  for n = 0 to 20 do
    Alcotest.(check int) (string_of_int n) (inner n) (Fib.forks n)
  done;
  (* The calls are the nodes of a binary tree with that many inner nodes. *)
  Alcotest.(check int) "calls of fib 40" 331_160_281 ((2 * Fib.forks 40) + 1)

let nqueens_has_its_known_values () =
  Alcotest.(check int) "13" 73_712 Nqueens.values.(13);
  Alcotest.(check int) "14" 365_596 Nqueens.values.(14)

let for_irregular_has_its_known_arguments () =
  let arguments first last = List.init (last - first + 1) (fun k -> For_irregular.argument (first + k)) in
  let range first last = List.init (last - first + 1) (fun k -> first + k) in
  Alcotest.(check (list int)) "at first" (range 31 39) (arguments 1 9);
  Alcotest.(check (list int)) "then" (range 10 39 @ range 10 39 @ [ 10 ]) (arguments 10 70)

let primes_has_its_known_values () =
  (* https://oeis.org/A006880 *)
  List.iteri
    (fun k count ->
      Alcotest.(check int) (string_of_int k) count (Primes.below (int_of_float (10. ** float k))))
    [ 0; 4; 25; 168; 1229; 9592; 78_498; 664_579 ];
  for n = 0 to 2_000 do
    Alcotest.(check bool) (string_of_int n) (Primes.below (n + 1) - Primes.below n = 1) (Primes.is_prime n)
  done

(* {1 Checks} *)

let lu_measures_the_error_of_the_product () =
  let original = [| [| 4.; 2. |]; [| 2.; 9. |] |] in
  let error a = Lu.relative_error ~original a in
  Alcotest.(check (float 0.)) "right" 0. (error [| [| 4.; 2. |]; [| 0.5; 8. |] |]);
  Alcotest.(check (float 1e-12)) "wrong above" (2. /. 9.) (error [| [| 4.; 2. |]; [| 0.5; 6. |] |]);
  Alcotest.(check (float 1e-12)) "wrong below" (4. /. 9.) (error [| [| 4.; 2. |]; [| 1.5; 5. |] |])

let is_right what expected result = Alcotest.(check bool) what expected (Result.is_ok result)

let checks_find_a_single_wrong_element () =
  let ints = Checks.ints ~expected:(fun i -> 2 * i) ~length:3 in
  is_right "right" true (ints [| 0; 2; 4 |]);
  is_right "first" false (ints [| 1; 2; 4 |]);
  is_right "last" false (ints [| 0; 2; 5 |]);
  is_right "too short" false (ints [| 0; 2 |]);
  is_right "too long" false (ints [| 0; 2; 4; 6 |]);
  let matrix = Checks.matrix ~expected:[| [| 1.; 0. |]; [| 2.; 3. |] |] in
  is_right "right" true (matrix [| [| 1.; 0. |]; [| 2.; 3. |] |]);
  is_right "another sign of zero" false (matrix [| [| 1.; -0. |]; [| 2.; 3. |] |]);
  is_right "one bit" false (matrix [| [| 1.; 0. |]; [| 2.; Float.succ 3. |] |]);
  is_right "no number" false (matrix [| [| 1.; 0. |]; [| 2.; nan |] |]);
  is_right "a row missing" false (matrix [| [| 1.; 0. |] |])

let checks_know_what_sorting_may_do () =
  let sorted = Checks.sorted ~compare:Int.compare ~show:string_of_int in
  is_right "empty" true (sorted [||]);
  is_right "sorted" true (sorted [| 1; 1; 2 |]);
  is_right "descent at the end" false (sorted [| 1; 2; 1 |]);
  let fingerprint = Checks.fingerprint Fun.id in
  let same what expected a b = Alcotest.(check bool) what expected (fingerprint a = fingerprint b) in
  same "another order" true [| 1; 2; 3; 3 |] [| 3; 1; 3; 2 |];
  same "the same sum" false [| 1; 3 |] [| 2; 2 |];
  same "one of two lost" false [| 1; 2; 2 |] [| 1; 1; 2 |]

let matmul_rec_tells_a_wrong_product () =
  let t = Matmul_rec.make 40 in
  let product i j =
    let term k = Float.Array.get t.a ((i * 40) + k) *. Float.Array.get t.b ((k * 40) + j) in
    Seq.fold_left ( +. ) 0. (Seq.init 40 term)
  in
  let right = Float.Array.init 1_600 (fun at -> product (at / 40) (at mod 40)) in
  is_right "right" true (Matmul_rec.check { t with c = right });
  is_right "nothing" false (Matmul_rec.check t);
  let wrong = Float.Array.copy right in
  Float.Array.set wrong 777 (Float.Array.get wrong 777 +. 1e-6);
  is_right "one element" false (Matmul_rec.check { t with c = wrong });
  Float.Array.set wrong 777 nan;
  is_right "no number" false (Matmul_rec.check { t with c = wrong })

let what_is_expected_belongs_to_the_size () =
  let calls = ref 0 in
  let square =
    Checks.once_per_size (fun n ->
        incr calls;
        n * n)
  in
  Alcotest.(check (list int)) "values" [ 4; 4; 9; 4 ] (List.map square [ 2; 2; 3; 2 ]);
  Alcotest.(check int) "calls" 3 !calls

let operations_depend_on_the_one_before () =
  let cells = [| 1; 2 |] in
  Microseconds.advance cells 1;
  let once = Array.copy cells in
  Microseconds.advance cells 1;
  Alcotest.(check int) "another cell" 1 cells.(0);
  Alcotest.(check bool) "once" true (once.(1) <> 2);
  Alcotest.(check bool) "twice" true (cells.(1) <> once.(1))

let a_microsecond_is_measured_once () =
  let n = Microseconds.per_microsecond () in
  Alcotest.(check bool) "at least one operation" true (n >= 1);
  Alcotest.(check int) "the same again" n (Microseconds.per_microsecond ());
  let figure = Microseconds.figure () in
  Alcotest.(check (pair string (float 0.))) "told" ("ops/us", float_of_int n) (figure.title, figure.value)

(* {1 Methods} *)

let tally messages =
  let tally = Tally.create () in
  List.iter (Tally.add tally) messages;
  tally

let tallies_find_messages_lost_doubled_and_altered () =
  let check ?in_order what expected n received =
    is_right what expected (Tally.check ?in_order n (List.map tally received))
  in
  check "none" true 0 [ [] ];
  check "all, of one" true 4 [ [ 0; 1; 2; 3 ] ];
  check "all, of two" true 4 [ [ 2; 0 ]; [ 1; 3 ] ];
  check "lost" false 4 [ [ 0; 1; 3 ] ];
  check "the first lost" false 4 [ [ 1; 2; 3 ] ];
  check "doubled" false 4 [ [ 0; 1 ]; [ 1; 2; 3 ] ];
  check "one lost, one doubled" false 4 [ [ 0; 1; 1; 3 ] ];
  check "altered to the same sum" false 4 [ [ 0; 0; 3; 3 ] ];
  check ~in_order:true "in order" true 4 [ [ 0; 2 ]; [ 1; 3 ] ];
  check ~in_order:true "overtaken" false 4 [ [ 0; 2; 1; 3 ] ]

(* The parties of a program with a broken channel or lock run in turn, or in fibers. *)
let in_turn parties = List.map (fun party -> party ()) parties
let in_fibers parties = Weft.run (fun () -> List.map Weft.await (List.map Weft.async parties))

let a_broken_channel_is_found () =
  let check what expected ~parties ~send ~recv make =
    let received = Channel.program ~parties ~run:in_turn ~send ~recv make ~domains:1 10 () in
    is_right what expected (Channel.check ~parties 10 received)
  in
  let queue what expected ~parties recv =
    check what expected ~parties ~send:(fun q x -> Queue.add x q) ~recv Queue.create
  in
  let repeats q = match Queue.take q with 8 -> 7 | x -> x in
  queue "works, from one" true ~parties:1 Queue.take;
  queue "works, from several" true ~parties:4 Queue.take;
  queue "repeats, from one" false ~parties:1 repeats;
  queue "repeats, from several" false ~parties:4 repeats;
  check "last in, first out" false ~parties:1 ~send:(fun s x -> Stack.push x s) ~recv:Stack.pop Stack.create

(* Without the lock, every party reads the counter before one of them writes it. *)
let a_lock_that_does_not_lock_is_found () =
  let parties = 4 in
  let locks lock unlock inside =
    Mutex_locks.program ~parties ~run:in_fibers ~lock ~unlock ~inside Weft.Mutex.create ~domains:1 100 ()
  in
  let all_inside = Weft.Barrier.create parties in
  Alcotest.(check int) "locks" 100 (locks (fun m -> Weft.Mutex.lock m) Weft.Mutex.unlock Weft.yield);
  Alcotest.(check bool)
    "does not" true
    (locks ignore ignore (fun () -> ignore (Weft.Barrier.wait all_inside : int)) < 100)

(* Without the lock, all parties count the same lock as theirs. *)
let a_lock_that_lets_several_hold_it_is_found () =
  let parties = 4 in
  let locks lock unlock section =
    fst
      (Mutex_sections.program ~parties ~run:in_fibers ~yield:Weft.yield ~lock ~unlock ~section
         Weft.Mutex.create 100 ())
  in
  let all_inside = Weft.Barrier.create parties in
  Alcotest.(check int) "locks" 200 (locks (fun m -> Weft.Mutex.lock m) Weft.Mutex.unlock Weft.yield);
  Alcotest.(check int)
    "does not" (parties * 200)
    (locks ignore ignore (fun () -> ignore (Weft.Barrier.wait all_inside : int)))

let delays_are_of_all_and_not_negative () =
  is_right "right" true (Wake.check 2 [| 0.; 1e-6 |]);
  is_right "one missing" false (Wake.check 2 [| 1e-6 |]);
  is_right "never started" false (Wake.check 2 [| 1e-6; nan |]);
  is_right "before it was submitted" false (Wake.check 2 [| 1e-6; -1e-9 |]);
  is_right "late" true (Timers.check_delays 2 [| 0.; 1. |]);
  is_right "one missing" false (Timers.check_delays 2 [| 0. |]);
  is_right "never woken" false (Timers.check_delays 2 [| 0.; nan |]);
  is_right "early" false (Timers.check_delays 2 [| 0.; -1e-5 |])

(* A method that does one operation of three, and takes no time. *)
let slow_ways_make_a_part_and_count_what_they_made () =
  let kind : int Operations.kind =
    { figures = Figure.per_second ~what:"thing"; check = Operations.count "things" }
  in
  let way =
    Operations.way ~part:3
      ~on:(fun domains -> domains < 3)
      Plain.contestant kind
      (fun ~domains n () -> domains * n)
  in
  let try_ ~domains size =
    match way.work { size; domains; cutoff = None } with
    | None -> None
    | Some (Work { prepare; compute; check; figures; forks = _ }) ->
        let result = compute (prepare ()) in
        let figures = figures ~seconds:2. result in
        Some (Result.is_ok (check result), List.map (fun (f : Figure.t) -> f.value) figures)
  in
  let outcome = Alcotest.(option (pair bool (list (float 1e-9)))) in
  Alcotest.check outcome "a third" (Some (true, [ 4.; 2. ])) (try_ ~domains:1 12);
  Alcotest.check outcome "rounded up" (Some (true, [ 5.; 2.5 ])) (try_ ~domains:1 13);
  Alcotest.check outcome "none" (Some (true, [ 0. ])) (try_ ~domains:1 0);
  Alcotest.check outcome "too many" (Some (false, [ 4.; 2. ])) (try_ ~domains:2 12);
  Alcotest.check outcome "makes no sense" None (try_ ~domains:3 12)

(* Weft refuses a chunk of size 0: so the refusal shows that the size reaches the loop. *)
let a_forced_chunk_reaches_the_loop () =
  let check (benchmark : Benchmark.t) =
    let way =
      List.find (fun (way : Benchmark.way) -> Contestant.equal way.contestant Weft_pool.loop) benchmark.ways
    in
    let (Work { prepare; compute; _ }) = Option.get (way.work { size = 8; cutoff = Some 0; domains = 1 }) in
    match compute (prepare ()) with
    | exception Invalid_argument _ -> ()
    | _ -> Alcotest.failf "%s: the chunk size is not used" benchmark.name
  in
  let has_chunks (b : Benchmark.t) = match b.grain with Chunk _ -> true | Cutoff _ | Fixed -> false in
  let looping = List.filter has_chunks Suites.all in
  Alcotest.(check (list string))
    "benchmarks"
    [ "iota"; "for_irregular"; "lu"; "matmul"; "reduce"; "primes"; "random_init" ]
    (List.map (fun (b : Benchmark.t) -> b.name) looping);
  List.iter check looping

let names_are_different () =
  let names = List.map (fun (b : Benchmark.t) -> b.name) Suites.all in
  let groups = List.filter_map (fun (b : Benchmark.t) -> b.group) Suites.all in
  let all = names @ List.sort_uniq String.compare groups in
  Alcotest.(check int)
    "benchmarks and groups" (List.length all)
    (List.length (List.sort_uniq String.compare all))

(* Only the first members of the pairs are compared: the second ones show where each pair was. *)
let the_sort_that_is_measured_is_stable () =
  let check size keys =
    let random = Random.State.make [| size; keys |] in
    let input = Array.init size (fun i -> (Random.State.int random keys, i)) in
    let by_key (a, _) (b, _) = Int.compare a b in
    let expected = List.stable_sort by_key (Array.to_list input) in
    let sorted = Array.copy input in
    Weft.Array.stable_sort by_key sorted;
    Alcotest.(check bool) (Printf.sprintf "%d of %d keys" size keys) true (Array.to_list sorted = expected)
  in
  List.iter
    (fun domains ->
      Weft.run ~domains (fun () ->
          List.iter (fun size -> List.iter (check size) [ 1; 3; 1_000_000 ]) [ 0; 1; 2; 3; 10; 1_000; 50_000 ]))
    [ 1; 2; 3 ]

(* {1 Domain.spawn} *)

let parts_are_summed_by_any_number_of_domains () =
  for domains = 1 to 4 do
    let parts = List.init 100 Fun.id in
    Alcotest.(check int) "sum of squares" 328_350 (Domain_spawn.sum ~domains (fun i -> i * i) parts);
    Alcotest.(check int) "nothing" 0 (Domain_spawn.sum ~domains Fun.id [])
  done

let ranges_are_even_and_make_up_the_whole () =
  let check ~domains ~start ~finish =
    let ranges = Domain_spawn.map_ranges ~domains ~start ~finish (fun first last -> (first, last)) in
    let indices (first, last) = List.init (last - first + 1) (fun k -> first + k) in
    let what = Printf.sprintf "%d to %d, %d domains" start finish domains in
    Alcotest.(check int) what domains (List.length ranges);
    Alcotest.(check (list int)) what (indices (start, finish)) (List.concat_map indices ranges);
    let lengths = List.map (fun (first, last) -> last - first + 1) ranges in
    let least = List.fold_left min max_int lengths and greatest = List.fold_left max 0 lengths in
    Alcotest.(check bool) (what ^ ": even") true (greatest - least <= 1)
  in
  for domains = 1 to 4 do
    for length = 0 to 9 do
      check ~domains ~start:3 ~finish:(3 + length - 1)
    done
  done

(* {1 Threads and effects} *)

let with_threads ~domains f = Threads.contestant.inside ~domains f

let threads_are_spread_over_the_domains () =
  for domains = 1 to 3 do
    let where =
      with_threads ~domains (fun () -> Threads.run (List.init 7 (fun i () -> (i, Domain.self ()))))
    in
    Alcotest.(check (list int)) "in order" (List.init 7 Fun.id) (List.map fst where);
    let domain i = snd (List.nth where i) in
    Alcotest.(check int) "domains" domains (List.length (List.sort_uniq compare (List.map snd where)));
    for i = domains to 6 do
      Alcotest.(check bool) "in turn" true (domain i = domain (i - domains))
    done
  done;
  Alcotest.(check int) "nobody" 0 (List.length (with_threads ~domains:2 (fun () -> Threads.run [])))

let all_threads_end_before_the_first_exception_is_raised () =
  let ended = Atomic.make 0 in
  let party i () =
    if i = 3 then Thread.delay 0.05;
    Atomic.incr ended;
    if i > 0 then failwith (string_of_int i)
  in
  let outcome, then_ended =
    with_threads ~domains:2 (fun () ->
        let outcome =
          match Threads.run (List.init 4 party) with
          | (_ : unit list) -> "no exception"
          | exception Failure i -> i
        in
        (outcome, Atomic.get ended))
  in
  Alcotest.(check string) "the first" "1" outcome;
  Alcotest.(check int) "all" 4 then_ended

let a_blocking_queue_keeps_order_and_capacity () =
  let sent = Atomic.make 0 in
  let send q () =
    for i = 1 to 10 do
      Blocking_queue.send q i;
      Atomic.incr sent
    done;
    []
  in
  let run capacity =
    Atomic.set sent 0;
    let recv q () =
      Testing.Watchdog.until "what fits is sent" (fun () -> Atomic.get sent >= Int.min capacity 10);
      (* Gives the sender time to send more than fits. *)
      Thread.delay 0.02;
      let waited = Atomic.get sent in
      waited :: List.init 10 (fun _ -> Blocking_queue.recv q)
    in
    let q = Blocking_queue.create capacity in
    List.concat (with_threads ~domains:2 (fun () -> Threads.run [ send q; recv q ]))
  in
  let messages = List.init 10 succ in
  Alcotest.(check (list int)) "room for 3" (3 :: messages) (run 3);
  Alcotest.(check (list int)) "no limit" (10 :: messages) (run max_int)

let a_program_of_the_system_reads_nothing () =
  let lines = if Command.is_there Command.sort then Command.lines_of Command.sort [] else [] in
  Alcotest.(check (list string)) "lines" [] lines

let wrong_random_numbers_are_found () =
  let result = Data.of_generators 100 in
  let right what expected sums =
    Alcotest.(check int) what expected (Data.number_right { result with sums })
  in
  right "all" 100 result.sums;
  right "zeros" 0 (Array.make 100 0.);
  right "of the next element" 0 (Array.init 100 (fun i -> result.sums.((i + 1) mod 100)))

let the_least_scheduler_takes_turns () =
  let noted = ref [] in
  let party name () =
    for i = 1 to 3 do
      noted := (name ^ string_of_int i) :: !noted;
      Effects.yield ()
    done
  in
  Effects.run [ party "a"; party "b" ];
  Alcotest.(check (list string)) "turns" [ "a1"; "b1"; "a2"; "b2"; "a3"; "b3" ] (List.rev !noted)

let case = Testing.Watchdog.case

let tests =
  [
    case "fib has its known values" fib_has_its_known_values;
    case "forks of fib are its inner calls" forks_of_fib_are_its_inner_calls;
    case "nqueens has its known values" nqueens_has_its_known_values;
    case "for_irregular has its known arguments" for_irregular_has_its_known_arguments;
    case "primes has its known values" primes_has_its_known_values;
    case "lu measures the error of the product" lu_measures_the_error_of_the_product;
    case "checks find a single wrong element" checks_find_a_single_wrong_element;
    case "checks know what sorting may do" checks_know_what_sorting_may_do;
    case "matmul_rec tells a wrong product" matmul_rec_tells_a_wrong_product;
    case "tallies find messages lost, doubled and altered" tallies_find_messages_lost_doubled_and_altered;
    case "a broken channel is found" a_broken_channel_is_found;
    case "a lock that does not lock is found" a_lock_that_does_not_lock_is_found;
    case "a lock that lets several hold it is found" a_lock_that_lets_several_hold_it_is_found;
    case "delays are of all, and not negative" delays_are_of_all_and_not_negative;
    case "slow ways make a part, and count what they made" slow_ways_make_a_part_and_count_what_they_made;
    case "what is expected belongs to the size" what_is_expected_belongs_to_the_size;
    case "operations depend on the one before" operations_depend_on_the_one_before;
    case "a microsecond is measured once" a_microsecond_is_measured_once;
    case "a forced chunk reaches the loop" a_forced_chunk_reaches_the_loop;
    case "names are different" names_are_different;
    case "threads are spread over the domains" threads_are_spread_over_the_domains;
    case "all threads end before the first exception is raised"
      all_threads_end_before_the_first_exception_is_raised;
    case "a blocking queue keeps order and capacity" a_blocking_queue_keeps_order_and_capacity;
    case "a program of the system reads nothing" a_program_of_the_system_reads_nothing;
    case "wrong random numbers are found" wrong_random_numbers_are_found;
    case "the least scheduler takes turns" the_least_scheduler_takes_turns;
    case "the sort that is measured is stable" the_sort_that_is_measured_is_stable;
    case "parts are summed by any number of domains" parts_are_summed_by_any_number_of_domains;
    case "ranges are even and make up the whole" ranges_are_even_and_make_up_the_whole;
  ]
