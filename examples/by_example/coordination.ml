(* Promises and what settles them, tasks that are cancelled one by one, selects, broadcasts, and locks and
   values that know more. *)

module Promise = Weft.Promise
module Resolver = Weft.Promise.Resolver
module Select = Weft.Select

exception Wrong of int

let () =
  (* The next step is a promise, too. *)
  let later n = Weft.async (fun () -> n * 2) in
  Printf.printf "%d\n" (Weft.await (Promise.bind (later 3) later));
  (* What a task ended with, as a value. *)
  let failing : int Weft.promise = Weft.async (fun () -> raise (Wrong 1)) in
  (match Promise.await_result failing with
  | Ok n -> Printf.printf "%d\n" n
  | Error (exn, _) -> Printf.printf "%b\n" (exn = Wrong 1));
  (* A callback, run by who settles the promise. *)
  let promise, resolver = Promise.make () in
  Promise.on_settled promise (function Ok n -> Printf.printf "settled: %d\n" n | Error _ -> ());
  Resolver.resolve resolver 5;
  Printf.printf "%b\n" (Resolver.try_resolve resolver 6);
  Printf.printf "%d\n" (Weft.await (Resolver.promise resolver));
  let refused, resolver = Promise.make () in
  Resolver.reject resolver (Wrong 2);
  (match Weft.await refused with () -> () | exception Wrong n -> Printf.printf "wrong %d\n" n);
  Printf.printf "%b\n" (Resolver.try_reject resolver (Wrong 3));
  (* A waiter that gives up: nobody can wake it any more, and nothing is reported. *)
  let _, waiter = Promise.make () in
  Printf.printf "%b\n" (Resolver.withdraw waiter);
  Printf.printf "%b\n" (Resolver.try_resolve waiter ())

let () =
  (* To end one task, while the others go on. *)
  let slow = Promise.cancellable (fun () -> Weft.sleep 3600.) in
  Promise.cancel ~reason:"too slow" slow;
  (match Weft.await slow with
  | () -> ()
  | exception Weft.Cancel.Cancelled reason -> Printf.printf "%s\n" reason);
  (* Tasks whose results nobody wants, and all that went wrong. *)
  match
    Weft.Scope.run ~on_failure:Keep_going ~collect:true (fun scope ->
        for i = 1 to 3 do
          Weft.Scope.start scope (fun () -> if i <> 2 then raise (Wrong i))
        done)
  with
  | () -> ()
  | exception Weft.Scope.Failures all ->
      List.iter (function Wrong n, _ -> Printf.printf "wrong %d\n" n | exn, _ -> raise exn) all

let () =
  let ready = Weft.Ivar.create () and doors = Weft.Latch.create 1 in
  let seats = Weft.Semaphore.create 1 and place = Weft.Mvar.create () in
  let text = Select.wrap (Select.ivar ready Fun.id) string_of_int in
  let any =
    [
      text;
      Select.latch doors (fun () -> "open");
      Select.take place Fun.id;
      Select.read place (fun s -> "saw " ^ s);
      Select.guard (fun () ->
          if Weft.Semaphore.available seats > 1 then Select.always "many" else Select.never);
    ]
  in
  Printf.printf "%b\n" (Select.poll any = None);
  Weft.Latch.count_down doors;
  Printf.printf "%s\n" (Select.select any);
  Weft.Ivar.fill ready 7;
  (* Both can be done: the first of the list is. *)
  Printf.printf "%s\n" (Select.select_in_order any);
  Printf.printf "%s\n" (Select.select [ Select.put place "a" (fun () -> "put") ]);
  Printf.printf "%b\n" (Select.poll_in_order [ Select.acquire seats (fun () -> true) ] = Some true);
  (* A condition, or else a time-out. The mutex is held when it is over. *)
  let m = Weft.Mutex.create () and changed = Weft.Condition.create () in
  Weft.Mutex.lock m;
  print_endline
    (Select.select
       [
         Select.condition changed m (fun () -> "changed"); Select.timeout 0.001 (fun () -> "nothing changed");
       ]);
  Weft.Mutex.unlock m

let () =
  (* All subscribers get all messages; who is slow learns how many are missing. *)
  let news = Weft.Broadcast.create 2 in
  let quick = Weft.Broadcast.subscribe news and slow = Weft.Broadcast.subscribe news in
  for i = 1 to 4 do
    Weft.Broadcast.send news i;
    Printf.printf "%d " (Weft.Broadcast.recv quick)
  done;
  print_newline ();
  Printf.printf "%d unread\n" (Weft.Broadcast.unread slow);
  (match Weft.Broadcast.recv slow with
  | n -> Printf.printf "%d\n" n
  | exception Weft.Broadcast.Lagged n -> Printf.printf "%d missed\n" n);
  Weft.Broadcast.close news;
  Printf.printf "%b\n" (Weft.Broadcast.is_closed news);
  Printf.printf "%b\n" (Weft.Broadcast.recv_poll slow = Some 3);
  Printf.printf "%d\n" (Weft.Broadcast.recv slow);
  try Weft.Broadcast.recv slow |> print_int with Weft.Broadcast.Closed -> print_endline "closed"

let () =
  (* A holder fails, and the next one is told. *)
  let m = Weft.Poisoning_mutex.create () and stock = ref 10 in
  let take n =
    Weft.Poisoning_mutex.protect m (fun () ->
        stock := !stock - n;
        if !stock < 0 then raise (Wrong !stock))
  in
  (try take 12 with Wrong n -> Printf.printf "wrong %d\n" n);
  (try take 1 with Weft.Poisoning_mutex.Poisoned (Wrong _) -> print_endline "poisoned");
  Printf.printf "%b\n" (Weft.Poisoning_mutex.failure m <> None);
  Weft.Poisoning_mutex.repair m (fun _ -> stock := 10);
  take 1;
  (* Who waits for a condition is told, too. *)
  let changed = Weft.Condition.create () in
  let waits =
    Weft.async (fun () ->
        Weft.Poisoning_mutex.protect m (fun () ->
            while !stock < 20 do
              Weft.Poisoning_mutex.wait m changed
            done))
  in
  Weft.Poisoning_mutex.protect m (fun () ->
      stock := 20;
      Weft.Condition.signal changed);
  Weft.await waits;
  Printf.printf "%d %b\n" !stock (Weft.Mutex.try_lock (Weft.Poisoning_mutex.mutex m));
  let fair = Weft.Poisoning_mutex.create_fair () in
  Printf.printf "%d\n" (Weft.Poisoning_mutex.protect_timeout 60. fair (fun () -> !stock));
  (* Each wait may be limited in time. *)
  let whole = Weft.Poisoning_mutex.repair_timeout 60. fair Option.is_none in
  Weft.Poisoning_mutex.protect fair (fun () ->
      match Weft.Poisoning_mutex.wait_timeout 0.001 fair changed with
      | () -> ()
      | exception Weft.Cancel.Timeout -> Printf.printf "%b, nobody signals\n" whole)

let () =
  (* A value of this task alone: what it starts does not inherit it. *)
  let depth = Weft.Local.Task_local.create_own ~default:0 in
  Weft.Local.Task_local.with_value depth 1 (fun () ->
      Weft.Local.Task_local.set depth 2;
      let here, there =
        Weft.par
          (fun () -> Weft.Local.Task_local.get depth)
          (fun () -> Weft.await (Weft.async (fun () -> Weft.Local.Task_local.get depth)))
      in
      Printf.printf "%d %d\n" here there)

let () =
  (* For a C library with a state for each thread. *)
  let started = Atomic.make 0 and stopped = Atomic.make 0 in
  Weft.Pool.on_worker ~start:(fun () -> Atomic.incr started) ~stop:(fun () -> Atomic.incr stopped);
  Weft.Pool.with_pool ~domains:2 (fun pool -> Weft.await (Weft.Pool.async pool ignore));
  Printf.printf "%b\n" (Atomic.get stopped > 0 && Atomic.get stopped <= Atomic.get started)
