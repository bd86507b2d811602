open Support
module Barrier = Weft.Barrier
module Pool = Weft.Pool

(* The participant's places in [rounds] rounds of [b]; [arrived] counts the arrivals. *)
let take_part b arrived ~parties () =
  List.init (Array.length arrived) (fun round ->
      Atomic.incr arrived.(round);
      let place = Barrier.wait b in
      check_int "all have arrived before anybody goes on" parties (Atomic.get arrived.(round));
      place)

let rounds n = Array.init n (fun _ -> Atomic.make 0)

let each_place_once ~parties of_participants =
  for round = 0 to List.length (List.hd of_participants) - 1 do
    let places = List.sort compare (List.map (fun places -> List.nth places round) of_participants) in
    if places <> List.init parties Fun.id then
      Alcotest.failf "round %d: the places are %s" round (String.concat " " (List.map string_of_int places))
  done

let fibers () =
  in_each_size @@ fun () ->
  let among parties =
    let b = Barrier.create parties and arrived = rounds 100 in
    let participants = List.init parties (fun _ -> Weft.async (take_part b arrived ~parties)) in
    each_place_once ~parties (List.map Weft.await participants)
  in
  List.iter among [ 1; 2; 3; 7; 30 ]

let everybody () =
  on_each_size @@ fun pool ->
  let parties = 6 in
  let b = Barrier.create parties and arrived = rounds 50 in
  let take_part = take_part b arrived ~parties in
  let of_threads = Array.make 2 [] in
  let threads = List.init 2 (Thread.create (fun i -> of_threads.(i) <- take_part ())) in
  let domain = Domain.spawn take_part in
  let of_fibers = Pool.run pool (fun () -> Weft.all (List.init 3 (fun _ -> take_part))) in
  List.iter Thread.join threads;
  each_place_once ~parties ((Domain.join domain :: Array.to_list of_threads) @ of_fibers)

let order () =
  Weft.run ~domains:1 @@ fun () ->
  let b = Barrier.create 4 in
  let arrive _ = start_waiting (fun () -> Barrier.wait b) in
  let participants = List.init 4 arrive in
  Alcotest.(check (list int)) "places" [ 0; 1; 2; 3 ] (List.map Weft.await participants)

let misuse () =
  raises_invalid "none" "Weft.Barrier.create: " (fun () -> Barrier.create 0);
  raises_invalid "fewer" "Weft.Barrier.create: " (fun () -> Barrier.create (-3))

(* The end of its pool ends a participant's wait. *)
let who_leaves_is_replaced () =
  in_each_size @@ fun () ->
  let b = Barrier.create 3 in
  let first = Weft.async (fun () -> Barrier.wait b) in
  Weft.yield ();
  waits_and_is_ended (fun () -> ignore (Barrier.wait b));
  let second = Weft.async (fun () -> Barrier.wait b) in
  Weft.yield ();
  Weft.yield ();
  Alcotest.(check bool) "one more is needed" false (Weft.Promise.is_settled first);
  let third = Barrier.wait b in
  let places = List.sort compare [ Weft.await first; Weft.await second; third ] in
  Alcotest.(check (list int)) "places" [ 0; 1; 2 ] places

let random_rounds =
  let open QCheck in
  Test.make ~count:60 ~name:"rounds" (triple (int_range 1 9) (int_range 1 20) (int_bound 3))
  @@ fun (parties, n, yields) ->
  let b = Barrier.create parties and arrived = rounds n in
  let participant i () =
    for _ = 1 to i * yields mod 7 do
      Weft.yield ()
    done;
    take_part b arrived ~parties ()
  in
  each_place_once ~parties (List.map Weft.await (List.init parties (fun i -> Weft.async (participant i))));
  true

let tests =
  [
    case "barrier: nobody goes on before all have arrived, round by round" fibers;
    case "barrier: fibers, threads and domains meet" everybody;
    case "barrier: the result is the order of arrival" order;
    case "barrier: misuse is an error" misuse;
    case "barrier: a waiter that leaves takes its arrival back" who_leaves_is_replaced;
    case "barrier: rounds of random participants" (property random_rounds);
  ]
