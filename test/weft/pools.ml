open Support
module Pool = Weft.Pool
module Promise = Weft.Promise

let sizes_and_names () =
  raises_invalid "0 domains" "Weft.run: " (fun () -> Weft.run ~domains:0 ignore);
  raises_invalid "-1 domains" "Weft.Pool.create: " (fun () -> Pool.create ~domains:(-1) ());
  on_each_size (fun p ->
      Alcotest.(check bool)
        "at least what was asked, at most" true
        (Pool.domains p >= 1 && Pool.domains p <= 8);
      check_int "as many statistics" (Pool.domains p) (Array.length (Pool.stats p)));
  Pool.with_pool ~name:"a pool" ~domains:1 (fun p ->
      Alcotest.(check string) "name" "a pool" (Pool.name p);
      Alcotest.(check bool) "found" true (match Pool.find "a pool" with Some q -> q == p | None -> false);
      raises_invalid "same name" "Weft.Pool.create: " (fun () -> Pool.create ~name:"a pool" ());
      Alcotest.(check bool) "current outside" true (Pool.current () = None);
      Pool.run p (fun () ->
          match Pool.current () with
          | Some q -> Alcotest.(check string) "current inside" "a pool" (Pool.name q)
          | None -> Alcotest.fail "no current pool"));
  Alcotest.(check bool) "gone" true (Option.is_none (Pool.find "a pool"))

let closed_pools_refuse () =
  let p = Pool.create ~domains:2 () in
  Pool.run p (fun () -> raises_invalid "from its own task" "Weft.Pool.close: " (fun () -> Pool.close p));
  Pool.close p;
  Pool.close p;
  raises_invalid "run" "Weft.Pool.run: " (fun () -> Pool.run p ignore);
  raises_invalid "async" "Weft.Pool.async: " (fun () -> Pool.async p ignore);
  Alcotest.(check bool) "statistics stay" true (Array.length (Pool.stats p) = 2)

let statistics () =
  Pool.with_pool ~domains:2 (fun p ->
      check_int "fib" (fib_of 20) (Pool.run p (fun () -> fib 20));
      let forks = Array.fold_left (fun n (s : Pool.worker_stats) -> n + s.forks) 0 (Pool.stats p) in
      (* fib n forks once for each call with n >= 2: fib (n + 1) - 1 times. *)
      check_int "forks" (fib_of 21 - 1) forks);
  Pool.with_pool ~domains:4 (fun p ->
      let total f = Array.fold_left (fun n s -> n + f s) 0 (Pool.stats p) in
      let some f = total f > 0 in
      (* On a busy machine perhaps no worker goes to sleep before there is work again. *)
      let rec work () =
        Pool.run p (fun () -> ignore (Weft.all (List.init 64 (fun _ () -> Unix.sleepf 0.002))));
        if not (some (fun s -> s.steals) && some (fun s -> s.wakes) && some (fun s -> s.parks)) then begin
          Unix.sleepf 0.01;
          work ()
        end
      in
      watched (fun () -> "steals, wakes and parks are counted") work;
      Alcotest.(check bool)
        "printed" true
        (String.length (Format.asprintf "%a" Pool.pp_stats (Pool.stats p)) > 100))

let all_domains_work () =
  (* Coarse tasks spread over all domains: each task waits for all the others. *)
  let numbers p =
    let begun = Atomic.make 0 in
    let task () =
      Atomic.incr begun;
      wait_until "all have begun" (fun () -> Atomic.get begun = 8);
      ((Domain.self () :> int), Pool.worker_index ())
    in
    let ids, numbers = List.split (Pool.run p (fun () -> Weft.all (List.init 8 (fun _ -> task)))) in
    check_int "domains that worked" 8 (List.length (List.sort_uniq compare ids));
    let numbers = List.sort_uniq compare numbers in
    check_int "workers" 8 (List.length numbers);
    numbers
  in
  (* If domains are slow to start, extra workers come, which have numbers of their own. *)
  let check in_pool =
    Testing.Watchdog.until_undisturbed "the workers of a pool of 8" (fun () ->
        let numbers = in_pool numbers in
        if numbers = List.init 8 Fun.id then Ok ()
        else Error ("an extra worker came: " ^ String.concat " " (List.map string_of_int numbers)))
  in
  check (Pool.with_pool ~domains:8);
  (* In a pool that a task has made, the caller's worker does not count. *)
  check (fun f ->
      Weft.run ~domains:1 (fun () -> Weft.run ~domains:8 (fun () -> f (Option.get (Pool.current ())))))

let several_at_once () =
  let pools = List.init 4 (fun i -> Pool.create ~domains:(1 + (i mod 3)) ()) in
  let callers =
    List.mapi
      (fun i p ->
        Thread.create
          (fun () ->
            for _ = 1 to 20 do
              check_int "fib" (fib_of (10 + i)) (Pool.run p (fun () -> fib (10 + i)))
            done)
          ())
      pools
  in
  List.iter Thread.join callers;
  (* Across pools: a task of each pool asks the next one. *)
  let rec ask = function
    | [] -> 0
    | p :: rest ->
        Pool.run p (fun () ->
            let a, b = Weft.par (fun () -> ask rest) (fun () -> fib 10) in
            a + b)
  in
  check_int "across" (4 * fib_of 10) (ask pools);
  check_int "across, in a circle" (8 * fib_of 10) (ask (pools @ pools));
  List.iter Pool.close pools

let a_fiber_stays_in_its_pool () =
  Pool.with_pool ~name:"one" ~domains:2 @@ fun one ->
  Pool.with_pool ~name:"two" ~domains:2 @@ fun two ->
  let name () = match Pool.current () with Some p -> Pool.name p | None -> "none" in
  let source = Promise.create () in
  let waiter pool =
    Pool.async pool (fun () ->
        Weft.await source;
        name ())
  in
  let ones = List.init 20 (fun _ -> waiter one) and twos = List.init 20 (fun _ -> waiter two) in
  fibers_wait one 20;
  fibers_wait two 20;
  Pool.run one (fun () -> Promise.resolve source ());
  List.iter (fun p -> Alcotest.(check string) "one" "one" (Weft.await p)) ones;
  List.iter (fun p -> Alcotest.(check string) "two" "two" (Weft.await p)) twos;
  Pool.run one (fun () ->
      Alcotest.(check string) "inside two" "two" (Pool.run two name);
      Alcotest.(check string) "back in one" "one" (name ()))

let nested_run () =
  in_each_size @@ fun () ->
  check_int "run in a task" 3 (Weft.run (fun () -> Weft.run (fun () -> 3)));
  List.iter
    (fun domains -> check_int "a pool for the call" (fib_of 12) (Weft.run ~domains (fun () -> fib 12)))
    [ 1; 2 ];
  Alcotest.check_raises "its exception" (Planned 5) (fun () ->
      Weft.run ~domains:2 (fun () -> raise (Planned 5)))

(* Domains that Weft has started for other reasons meanwhile would count, too. *)
let nested_run_starts_one_domain () =
  let calls = 20 in
  let started domains () =
    let before = Weft_platform.Runtime_threads.count () in
    for _ = 1 to calls do
      Weft.run ~domains ignore
    done;
    Weft_platform.Runtime_threads.count () - before
  in
  let attempt domains () =
    let n = Weft.run (started domains) in
    if n <= domains * calls then Ok () else Error (Printf.sprintf "%d domains for %d calls" n calls)
  in
  List.iter
    (fun domains ->
      Testing.Watchdog.until_undisturbed
        (Printf.sprintf "Weft.run ~domains:%d in a task starts no more domains" domains)
        (attempt domains))
    [ 1; 2 ]

let nested_run_ends_its_domains () =
  in_each_size @@ fun () ->
  for i = 1 to tries 30 do
    let registered = Atomic.make 0 and called = Atomic.make 0 in
    let task () =
      Atomic.incr registered;
      Domain.at_exit (fun () -> Atomic.incr called)
    in
    Weft.run
      ~domains:(1 + (i mod 3))
      (fun () ->
        for _ = 1 to 10 do
          ignore (Weft.async task : unit Weft.promise)
        done);
    check_int "tasks" 10 (Atomic.get registered);
    check_int "functions of Domain.at_exit" 10 (Atomic.get called)
  done

(* --- closing --- *)

let close_by_tasks () =
  in_each_size @@ fun () ->
  for i = 1 to tries 30 do
    let p = Pool.create ~domains:(1 + (i mod 3)) () in
    let ran = Atomic.make 0 in
    let work () =
      Weft.yield ();
      Atomic.incr ran
    in
    let promises = List.init 20 (fun _ -> Pool.async p work) in
    let close () = Pool.close p in
    let outside = if i land 1 = 0 then Some (Thread.create close ()) else None in
    ignore (Weft.all [ close; close; close ]);
    check_int "ran" 20 (Atomic.get ran);
    List.iter Weft.await promises;
    close ();
    Option.iter Thread.join outside
  done

let close_runs_what_was_submitted () =
  for i = 1 to tries 60 do
    let domains = 1 + (i mod 3) in
    let p = Pool.create ~domains () in
    let ran = Atomic.make 0 in
    for _ = 1 to 100 do
      ignore
        (Pool.async p (fun () ->
             let (), () =
               Weft.par
                 (fun () -> Atomic.incr ran)
                 (fun () ->
                   Weft.yield ();
                   Atomic.incr ran)
             in
             ignore (Weft.async (fun () -> Atomic.incr ran))))
    done;
    if i land 1 = 0 then Unix.sleepf (float (i mod 10) *. 0.0002);
    Pool.close p;
    check_int "ran" 300 (Atomic.get ran)
  done

let close_at_random_moments () =
  Random.init 7;
  for _ = 1 to tries 60 do
    let p = Pool.create ~domains:(1 + Random.int 4) () in
    let accepted = Atomic.make 0 and ran = Atomic.make 0 in
    let caller () =
      try
        while true do
          ignore (Pool.async p (fun () -> Atomic.incr ran));
          Atomic.incr accepted;
          check_int "fib" (fib_of 8) (Pool.run p (fun () -> fib 8))
        done
      with Invalid_argument _ -> ()
    in
    let callers =
      List.init 3 (fun i ->
          if i = 0 then `Domain (Domain.spawn caller) else `Thread (Thread.create caller ()))
    in
    Unix.sleepf (Random.float 0.004);
    let second = Thread.create (fun () -> Pool.close p) () in
    Pool.close p;
    List.iter (function `Domain d -> Domain.join d | `Thread t -> Thread.join t) callers;
    Thread.join second;
    check_int "every accepted task ran" (Atomic.get accepted) (Atomic.get ran)
  done

let close_ends_waiting_fibers () =
  List.iter
    (fun domains ->
      let p = Pool.create ~domains () in
      let never = Promise.create () in
      let finalised = Atomic.make 0 in
      let ends =
        List.init 50 (fun _ ->
            Pool.async p (fun () ->
                Fun.protect ~finally:(fun () -> Atomic.incr finalised) (fun () -> (Weft.await never : unit))))
      in
      let inside = Atomic.make false in
      let behind = Pool.async p (fun () -> Weft.await (List.hd ends)) in
      (* An outside caller is inside, and waits as well. *)
      let caller =
        Thread.create
          (fun () ->
            match
              Pool.run p (fun () ->
                  Atomic.set inside true;
                  Weft.await never)
            with
            | () -> ()
            | exception Pool.Closed _ -> Atomic.incr finalised)
          ()
      in
      wait_until "the caller is inside" (fun () -> Atomic.get inside);
      (* 52 wait, or 51 if "behind" runs the first of them in place. *)
      fibers_wait p 51;
      Pool.close p;
      Thread.join caller;
      check_int "finalisers" 51 (Atomic.get finalised);
      List.iter
        (fun q ->
          match Promise.peek q with
          | Some (Error (Pool.Closed name, _)) -> Alcotest.(check string) "of this pool" (Pool.name p) name
          | _ -> Alcotest.fail "not ended with Closed")
        (behind :: ends);
      (* Resolving the promises afterwards does no harm. *)
      Promise.resolve never ())
    [ 1; 2; 3 ]

let many_pools_one_after_the_other () =
  for i = 1 to tries 300 do
    Pool.with_pool
      ~domains:(1 + (i land 1))
      (fun p -> check_int "fib" (fib_of 5) (Pool.run p (fun () -> fib 5)))
  done

(* --- idleness --- *)

(* Waits until half a second or longer has passed in which the process used hardly any processor time: only
   this thread, the watchdog's and the tick thread wake up. A thread that spins would use more in any half
   second. *)
let becomes_quiet what =
  let cpu () =
    let t = Unix.times () in
    t.tms_utime +. t.tms_stime
  in
  let used = ref 0. in
  let is_quiet () =
    let before = cpu () in
    Unix.sleepf 0.5;
    used := cpu () -. before;
    !used < 0.01
  in
  watched
    (fun () -> Printf.sprintf "%s used %.0f ms of processor time in half a second" what (1000. *. !used))
    (fun () ->
      while not (is_quiet ()) do
        ()
      done)

let idle_uses_no_cpu () =
  Pool.with_pool ~domains:8 @@ fun p ->
  ignore (Pool.run p (fun () -> fib 15));
  becomes_quiet "an idle pool of 8"

let waiting_callers_use_no_cpu () =
  on_each_size @@ fun p ->
  let source = Promise.create () in
  let resolver =
    Thread.create
      (fun () ->
        fibers_wait p 1;
        becomes_quiet "a pool that waits";
        Promise.resolve source ())
      ()
  in
  Pool.run p (fun () -> Weft.await source);
  Thread.join resolver

let idle_pools_hold_no_descriptor () =
  let all = "/proc/self/fd" in
  let descriptors () = Array.length (Sys.readdir all) in
  let used_once () =
    let pool = Pool.create ~domains:2 () in
    Pool.run pool ignore;
    wait_until "its domain has retired" (fun () -> Pool.present pool = 0);
    pool
  in
  if Sys.file_exists all then (
    with_patience 0.001 @@ fun () ->
    let first = used_once () in
    let before = descriptors () in
    let pools = first :: List.init (tries 100) (fun _ -> used_once ()) in
    wait_until "as many descriptors as with one idle pool" (fun () -> descriptors () <= before);
    List.iter Pool.close pools)

let tests =
  [
    case "sizes, names, look-up" sizes_and_names;
    case "a closed pool refuses, and closing again is nothing" closed_pools_refuse;
    case "statistics count" (all_at_once statistics);
    case "coarse tasks reach every domain" (all_at_once all_domains_work);
    case "several pools at once, and across" several_at_once;
    case "a fiber is resumed in its own pool" a_fiber_stays_in_its_pool;
    case "run inside run" nested_run;
    case "run in a task starts no domain more" nested_run_starts_one_domain;
    case "run in a task returns when its domains have ended" nested_run_ends_its_domains;
    case "tasks close a pool" close_by_tasks;
    case "close runs all that was submitted" close_runs_what_was_submitted;
    case "close at random moments" close_at_random_moments;
    case "close ends the fibers that wait" close_ends_waiting_fibers;
    case "hundreds of pools, one after the other" many_pools_one_after_the_other;
    case "an idle pool uses no processor time" idle_uses_no_cpu;
    case "a waiting pool uses no processor time" waiting_callers_use_no_cpu;
    case "idle pools hold no descriptor" idle_pools_hold_no_descriptor;
  ]
