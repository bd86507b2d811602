open Support
module Latch = Weft.Latch
module Pool = Weft.Pool

let counts () =
  let l = Latch.create 5 in
  check_int "count" 5 (Latch.count l);
  Latch.count_down l;
  Latch.count_down ~by:0 l;
  Latch.count_down ~by:3 l;
  check_int "count" 1 (Latch.count l);
  raises_invalid "below zero" "Weft.Latch.count_down: " (fun () -> Latch.count_down ~by:2 l);
  check_int "unchanged" 1 (Latch.count l);
  raises_invalid "up" "Weft.Latch.count_down: " (fun () -> Latch.count_down ~by:(-1) l);
  Latch.count_down l;
  Latch.wait l;
  raises_invalid "below zero" "Weft.Latch.count_down: " (fun () -> Latch.count_down l);
  Latch.count_down ~by:0 l;
  Latch.wait l;
  Latch.wait (Latch.create 0);
  raises_invalid "negative" "Weft.Latch.create: " (fun () -> Latch.create (-1))

let opens_at_zero () =
  in_each_size @@ fun () ->
  for n = 1 to 40 do
    let l = Latch.create n and done_ = Atomic.make 0 in
    let wait () =
      Latch.wait l;
      check_int "all that counted down had done their work" n (Atomic.get done_)
    in
    let before = List.init 5 (fun _ -> Weft.async wait) in
    Weft.yield ();
    let count_down _ =
      Weft.async (fun () ->
          if n land 3 = 0 then Weft.yield ();
          Atomic.incr done_;
          Latch.count_down l)
    in
    let workers = List.init n count_down in
    wait ();
    List.iter Weft.await (before @ workers)
  done

let not_before () =
  in_each_size @@ fun () ->
  let l = Latch.create 2 in
  let waiter = Weft.async (fun () -> Latch.wait l) in
  Latch.count_down l;
  for _ = 1 to 20 do
    Weft.yield ()
  done;
  Alcotest.(check bool) "shut" false (Weft.Promise.is_settled waiter);
  Latch.count_down l;
  Weft.await waiter

let everybody () =
  on_each_size @@ fun pool ->
  let l = Latch.create 6 in
  let meet () =
    Latch.count_down l;
    Latch.wait l
  in
  let threads = List.init 2 (fun _ -> Thread.create meet ()) and domain = Domain.spawn meet in
  ignore (Pool.run pool (fun () -> Weft.all (List.init 3 (fun _ -> meet))));
  List.iter Thread.join threads;
  Domain.join domain;
  check_int "count" 0 (Latch.count l)

let counted_at_once () =
  (* Two domains count down at the same time, and no decrement is lost. *)
  let n = 200_000 in
  let l = Latch.create (2 * n) in
  let count_down () =
    for _ = 1 to n do
      Latch.count_down l
    done
  in
  let domain = Domain.spawn count_down in
  count_down ();
  Domain.join domain;
  Latch.wait ~timeout:0. l

let who_is_ended_leaves () =
  in_each_size @@ fun () ->
  let l = Latch.create 1 in
  let before = Weft.async (fun () -> Latch.wait l) in
  Weft.yield ();
  waits_and_is_ended (fun () -> Latch.wait l);
  check_int "the count is as it was" 1 (Latch.count l);
  Latch.count_down l;
  Weft.await before

let tests =
  [
    case "latch: counts down, never below zero" counts;
    case "latch: opens for all when the last has counted down" opens_at_zero;
    case "latch: is shut before" not_before;
    case "latch: fibers, threads and domains" everybody;
    case "latch: two domains count down at once" counted_at_once;
    case "latch: a waiter that is ended changes nothing" who_is_ended_leaves;
  ]
