open Support
module Promise = Weft.Promise

(* A thief may have taken the fork off the deque just before its joiner claimed it: the thief keeps it until it
   has tried to claim it, too. *)
let deque_keeps_nothing () =
  in_each_size @@ fun () ->
  let[@inline never] fork () =
    let block, weak = mortal () in
    let n, () = Weft.par (fun () -> Array.length block) (fun () -> ignore (Sys.opaque_identity block)) in
    check_int "length" 1000 n;
    weak
  in
  wait_for_death "a finished fork's closure" (fork ())

let settled_promise_drops_its_closure () =
  in_each_size @@ fun () ->
  let[@inline never] make () =
    let block, weak = mortal () in
    (Weft.async (fun () -> Array.length block), weak)
  in
  let p, weak = make () in
  check_int "length" 1000 (Weft.await p);
  wait_for_death "its closure" weak;
  ignore (Sys.opaque_identity p)

(* The fiber computes until the task has run, so on one domain its worker hands the task over. *)
let handed_over_task_is_dropped () =
  in_each_size @@ fun () ->
  let[@inline never] make () =
    let block, weak = mortal () in
    let ended = Atomic.make false in
    let p =
      Weft.async (fun () ->
          Atomic.set ended true;
          block)
    in
    while not (Atomic.get ended) do
      ignore (fib 10 : int)
    done;
    ignore (Sys.opaque_identity p);
    weak
  in
  (* The worker may still run other jobs, or compute: it forgets the task when it is preempted or falls asleep. *)
  wait_for_death "the task" (make ())

let abandoned_promises () =
  with_patience infinity @@ fun () ->
  (* Runs the test with minor heaps that do not grow meanwhile. *)
  Weft.run ~domains:2 ~minor_heap:262_144 @@ fun () ->
  let count = tries 500_000 in
  let round () =
    for _ = 1 to count do
      ignore (Weft.async ignore);
      if Random.int 64 = 0 then Weft.yield ()
    done;
    (* The others lie in front of this task in the queue: when it has run, all have run. *)
    let rec drain n =
      if n > 0 then (
        Weft.yield ();
        drain (n - 1))
    in
    drain 10;
    Gc.full_major ()
  in
  if Option.is_some (Testing.Memory.resident_bytes ()) then begin
    let resident () = Option.get (Testing.Memory.resident_bytes ()) in
    round ();
    let growth () =
      let before = resident () in
      round ();
      round ();
      resident () - before
    in
    Option.iter
      (fun bytes -> Alcotest.failf "a million abandoned promises: %d KiB more" (bytes / 1024))
      (Testing.Memory.always_above (8 * 1024 * 1024) growth)
  end

(* The slots of deques are roots outside the heap: jobs in them must survive and move with minor
   collections, major ones and compactions, whoever takes them. No domain ends meanwhile: OCaml before 5.4 does
   not compact the heap of one that does (doc/runtime-faults.md). *)
let jobs_survive_collections () =
  with_patience infinity @@ fun () ->
  in_each_size @@ fun () ->
  let rec walk depth tag =
    let fresh = Bytes.make 40 (Char.chr (65 + (tag land 15))) in
    if depth = 0 then begin
      if tag land 255 = 0 then Gc.minor ();
      if tag land 2047 = 0 then Gc.full_major ();
      if tag land 8191 = 0 then Gc.compact ();
      1
    end
    else
      let a, b =
        Weft.par
          (fun () -> walk (depth - 1) (2 * tag))
          (fun () ->
            Bytes.iter (fun c -> if c <> Char.chr (65 + (tag land 15)) then failwith "corrupted") fresh;
            walk (depth - 1) ((2 * tag) + 1))
      in
      Bytes.iter (fun c -> if c <> Char.chr (65 + (tag land 15)) then failwith "corrupted") fresh;
      a + b
  in
  check_int "leaves" 16384 (walk 14 1)

let growth_under_collections () =
  in_each_size @@ fun () ->
  (* One deque holds thousands of jobs, and grows while the collector runs and others steal. *)
  for round = 1 to 5 do
    let n = 20_000 in
    let ps =
      List.init n (fun i ->
          let s = string_of_int (i * round) in
          Weft.async (fun () -> int_of_string s))
    in
    Gc.minor ();
    let sum = List.fold_left (fun s p -> s + Weft.await p) 0 ps in
    check_int "sum" (round * n * (n - 1) / 2) sum
  done

let tests =
  [
    case "a deque keeps nothing alive" deque_keeps_nothing;
    case "a settled promise drops its closure" settled_promise_drops_its_closure;
    case "a task that was handed over and has ended is dropped" handed_over_task_is_dropped;
    case "a million abandoned promises leave nothing" abandoned_promises;
    case "jobs survive collections and compactions" jobs_survive_collections;
    case "a deque grows under collections and thieves" growth_under_collections;
  ]
