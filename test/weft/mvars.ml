open Support
module Mvar = Weft.Mvar
module Pool = Weft.Pool

let one_place () =
  let m = Mvar.create () in
  Alcotest.(check (option int)) "empty" None (Mvar.try_take m);
  Alcotest.(check (option int)) "empty" None (Mvar.try_read m);
  Mvar.put m 1;
  Alcotest.(check bool) "full" false (Mvar.try_put m 2);
  Alcotest.(check (option int)) "stays" (Some 1) (Mvar.try_read m);
  check_int "stays" 1 (Mvar.read m);
  check_int "taken" 1 (Mvar.take m);
  Alcotest.(check bool) "empty" true (Mvar.try_put m 3);
  Alcotest.(check (option int)) "taken" (Some 3) (Mvar.try_take m);
  check_int "made full" 4 (Mvar.take (Mvar.create ~value:4 ()))

(* Fibers that get in line one after the other. *)
let in_line n f = List.init n (fun i -> start_waiting (fun () -> f i))

let fifo () =
  Weft.run ~domains:1 @@ fun () ->
  let m = Mvar.create () in
  let takers = in_line 10 (fun _ -> Mvar.take m) in
  for i = 0 to 9 do
    Mvar.put m i
  done;
  Alcotest.(check (list int)) "takers, in their order" (List.init 10 Fun.id) (List.map Weft.await takers);
  let m = Mvar.create ~value:0 () in
  let putters = in_line 10 (fun i -> Mvar.put m (i + 1)) in
  let taken = List.init 11 (fun _ -> Mvar.take m) in
  Alcotest.(check (list int)) "putters, in their order" (List.init 11 Fun.id) taken;
  List.iter Weft.await putters

let one_operation_wakes_one () =
  Weft.run ~domains:1 @@ fun () ->
  let woken = ref 0 in
  (* Exactly so many are woken, and no more. *)
  let are_woken what n =
    yield_until (Printf.sprintf "%s %d are woken" what n) (fun () -> !woken >= n);
    for _ = 1 to 10 do
      Weft.yield ()
    done;
    check_int (what ^ " woken") n !woken
  in
  let m = Mvar.create () in
  let takers =
    in_line 3 (fun _ ->
        ignore (Mvar.take m);
        incr woken)
  in
  for i = 1 to 3 do
    Mvar.put m ();
    are_woken "takers" i
  done;
  List.iter Weft.await takers;
  Mvar.put m ();
  woken := 0;
  let putters =
    in_line 3 (fun _ ->
        Mvar.put m ();
        incr woken)
  in
  for i = 1 to 3 do
    Mvar.take m;
    are_woken "putters" i
  done;
  List.iter Weft.await putters

let readers_come_first () =
  Weft.run ~domains:1 @@ fun () ->
  let m = Mvar.create () in
  let taker = List.hd (in_line 1 (fun _ -> Mvar.take m)) in
  let readers = in_line 5 (fun _ -> Mvar.read m) in
  Mvar.put m 7;
  List.iter (fun p -> check_int "read or taken" 7 (Weft.await p)) (taker :: readers);
  Alcotest.(check (option int)) "taken" None (Mvar.try_read m)

(* [n] values of each producer: one consumer takes each, and those of one producer are taken in order. *)
let carry ~producers ~consumers ~n ~start ~join =
  let m = Mvar.create () in
  let produce k () =
    for i = 0 to n - 1 do
      Mvar.put m ((k * n) + i)
    done
  in
  let share = producers * n / consumers in
  let taken = Array.make consumers [] in
  let consume c () =
    let last = Array.make producers (-1) in
    for _ = 1 to share do
      let v = Mvar.take m in
      if v <= last.(v / n) then Alcotest.failf "%d after %d" v last.(v / n);
      last.(v / n) <- v;
      taken.(c) <- v :: taken.(c)
    done
  in
  let started =
    List.init producers (fun k -> start (produce k)) @ List.init consumers (fun c -> start (consume c))
  in
  List.iter join started;
  let all = List.sort compare (List.concat (Array.to_list taken)) in
  Alcotest.(check bool) "each once" true (all = List.init (producers * n) Fun.id);
  Alcotest.(check bool) "nothing left" true (Mvar.try_take m = None)

let fibers_carry () =
  in_each_size @@ fun () ->
  List.iter
    (fun (producers, consumers) -> carry ~producers ~consumers ~n:1200 ~start:Weft.async ~join:Weft.await)
    [ (1, 1); (4, 1); (1, 4); (4, 4); (3, 6) ]

type anybody = Fiber of unit Weft.promise | Thread of Thread.t | Domain of unit Domain.t

let everybody_carries () =
  in_each_size @@ fun () ->
  let turn = ref 0 in
  let start f =
    incr turn;
    match !turn mod 3 with
    | 0 -> Domain (Domain.spawn f)
    | 1 -> Thread (Thread.create f ())
    | _ -> Fiber (Weft.async f)
  in
  let join = function Fiber p -> Weft.await p | Thread t -> Thread.join t | Domain d -> Domain.join d in
  (* The fibers are awaited first, since joining the threads blocks a worker. *)
  let order = function Fiber _ -> 0 | Thread _ | Domain _ -> 1 in
  let started = ref [] in
  carry ~producers:3 ~consumers:3 ~n:300
    ~start:(fun f ->
      let a = start f in
      started := a :: !started;
      a)
    ~join:(fun _ ->
      List.iter join (List.stable_sort (fun a b -> compare (order a) (order b)) !started);
      started := [])

let as_a_lock () =
  in_each_size @@ fun () ->
  let m = Mvar.create ~value:0 () in
  let add () =
    for i = 1 to 300 do
      let n = Mvar.take m in
      if i land 31 = 0 then Weft.yield ();
      Mvar.put m (n + 1)
    done
  in
  ignore (Weft.all (List.init 10 (fun _ -> add)));
  check_int "additions" 3000 (Mvar.take m)

let who_is_ended_takes_nothing () =
  in_each_size @@ fun () ->
  let m = Mvar.create () in
  waits_and_is_ended (fun () -> ignore (Mvar.take m));
  waits_and_is_ended (fun () -> ignore (Mvar.read m));
  Mvar.put m 1;
  Alcotest.(check (option int)) "the value is there" (Some 1) (Mvar.try_read m);
  waits_and_is_ended (fun () -> Mvar.put m 2);
  check_int "the first" 1 (Mvar.take m);
  Alcotest.(check (option int)) "nothing was put" None (Mvar.try_take m);
  (* The fiber that is ended waits in front of another one. *)
  let behind = ref None in
  waits_and_is_ended
    ~then_:(fun () ->
      behind := Some (Weft.async (fun () -> Mvar.take m));
      Weft.yield ())
    (fun () -> ignore (Mvar.take m));
  Mvar.put m 3;
  check_int "goes to the next" 3 (Weft.await (Option.get !behind))

let tests =
  [
    case "mvar: holds one value" one_place;
    case "mvar: first come, first served" fifo;
    case "mvar: one operation wakes one" one_operation_wakes_one;
    case "mvar: readers see the next value before it is taken" readers_come_first;
    case "mvar: fibers carry each value once, in order" fibers_carry;
    case "mvar: fibers, threads and domains carry" everybody_carries;
    case "mvar: serves as a lock" as_a_lock;
    case "mvar: a waiter that is ended has neither put nor taken" who_is_ended_takes_nothing;
  ]
