open Weft_scheduler

type job = Ready of int | Yielded of int | Nothing

let push q = function
  | Ready _ as job -> Injector.push q job
  | Yielded _ as job -> Injector.push_yielded q job
  | Nothing -> ()

let pop q = Injector.pop q ~nil:Nothing
let has_yielded = function Yielded _ -> true | Ready _ | Nothing -> false
let rec pop_all q = match pop q with Nothing -> [] | job -> job :: pop_all q

(* --- one thread --- *)

let each_part_is_a_queue () =
  let q = Injector.create () in
  let yielded = List.init 100 (fun i -> Yielded i) and ready = List.init 100 (fun i -> Ready i) in
  List.iter2
    (fun one job ->
      push q one;
      push q job)
    yielded ready;
  Alcotest.(check bool) "there is something" false (Injector.is_empty q);
  let jobs = pop_all q in
  Alcotest.(check bool) "those that yielded, in their order" true (List.filter has_yielded jobs = yielded);
  Alcotest.(check bool)
    "the others in theirs" true
    (List.filter (fun job -> not (has_yielded job)) jobs = ready);
  Alcotest.(check bool) "there is nothing" true (Injector.is_empty q)

(* Both parts always have jobs. [f] gets each job that is taken, until it is false. *)
let while_full q f =
  for i = 1 to 3 do
    push q (Yielded i);
    push q (Ready i)
  done;
  let rec go_on () =
    let job = pop q in
    push q job;
    if f job then go_on ()
  in
  go_on ()

let neither_part_starves () =
  let q = Injector.create () in
  let yielded = ref 0 and ready = ref 0 in
  Testing.Watchdog.during (fun () -> Printf.sprintf "%d ready, %d yielded" !ready !yielded) @@ fun () ->
  for _ = 1 to 3 do
    let was_ready = !ready and was_yielded = !yielded in
    while_full q (fun job ->
        incr (if has_yielded job then yielded else ready);
        !ready = was_ready || !yielded = was_yielded)
  done

let ready_goes_first () =
  let q = Injector.create () in
  for i = 1 to 3 do
    push q (Yielded i)
  done;
  Alcotest.(check bool) "one that yielded, where nothing is ready" true (pop q = Yielded 1);
  push q (Ready 1);
  Alcotest.(check bool) "what is ready" true (pop q = Ready 1);
  Alcotest.(check bool) "the next that yielded" true (pop q = Yielded 2)

(* --- several domains --- *)

let each_is_taken_once () =
  let n = 20_000 and q = Injector.create () in
  let left = Atomic.make (2 * n) and times = Array.init (2 * n) (fun _ -> Atomic.make 0) in
  let give () =
    for i = 0 to n - 1 do
      push q (Ready i);
      push q (Yielded i)
    done
  and take () =
    while Atomic.get left > 0 do
      match pop q with
      | Nothing -> Domain.cpu_relax ()
      | (Ready i | Yielded i) as job ->
          Atomic.incr times.(if has_yielded job then n + i else i);
          Atomic.decr left
    done
  in
  Testing.Watchdog.during (fun () -> "each job is taken") @@ fun () ->
  List.map Domain.spawn [ give; take; take ] |> List.iter Domain.join;
  Alcotest.(check bool) "once" true (Array.for_all (fun t -> Atomic.get t = 1) times)

let () =
  let case = Testing.Watchdog.case in
  Alcotest.run "injector"
    [
      ( "one thread",
        [
          case "each part is first in, first out" each_part_is_a_queue;
          case "neither part starves" neither_part_starves;
          case "what is ready goes first" ready_goes_first;
        ] );
      ("domains", [ case "each job is taken once" each_is_taken_once ]);
    ]
