(* What tasks wait for. Each function here also works between threads and domains. *)

let () =
  (* A queue of one place, by a mutex and a condition. *)
  let m = Weft.Mutex.create () and changed = Weft.Condition.(named "changed" (create ())) in
  let place = ref None in
  let put x =
    Weft.Mutex.lock m;
    while !place <> None do
      Weft.Condition.wait changed m
    done;
    place := Some x;
    Weft.Condition.broadcast changed;
    Weft.Mutex.unlock m
  and take () =
    Weft.Mutex.protect m (fun () ->
        while !place = None do
          Weft.Condition.wait changed m
        done;
        let x = Option.get !place in
        place := None;
        (* Whoever waits to put, and nobody else does. *)
        Weft.Condition.signal changed;
        x)
  in
  let (), sum =
    Weft.par
      (fun () -> List.iter put [ 1; 2; 3 ])
      (fun () -> List.fold_left (fun s () -> s + take ()) 0 [ (); (); () ])
  in
  Printf.printf "%d\n" sum;
  (* To take a lock only if it is free. *)
  let first = Weft.Mutex.try_lock m in
  Printf.printf "%b %b\n" first (Weft.Mutex.try_lock m);
  Weft.Mutex.unlock m

let () =
  (* Names are for traces and their reports. *)
  let seats = Weft.Semaphore.(named "seats" (create 2)) in
  Weft.Semaphore.acquire seats;
  Printf.printf "%b\n" (Weft.Semaphore.try_acquire seats);
  Printf.printf "%d\n" (Weft.Semaphore.available seats);
  Weft.Semaphore.release seats;
  Printf.printf "%s\n" (Weft.Semaphore.protect seats (fun () -> "inside"));
  (* By the names of OCaml's; and to wait for a while only. *)
  let tables = Weft.Semaphore.make 1 in
  Weft.Semaphore.acquire tables;
  (try Weft.Semaphore.acquire_timeout 0.001 tables with Weft.Cancel.Timeout -> print_endline "none is free");
  Printf.printf "%d\n" (Weft.Semaphore.get_value tables);
  let l = Weft.Rwlock.(named "account" (create ())) and balance = ref 0 in
  Weft.parallel_for ~start:1 ~finish:10
    ~body:(fun i -> Weft.Rwlock.write l (fun () -> balance := !balance + i))
    ();
  Weft.Rwlock.read_lock l;
  Printf.printf "%d %b %b\n"
    (Weft.Rwlock.read l (fun () -> !balance))
    (Weft.Rwlock.try_read_lock l) (Weft.Rwlock.try_write_lock l);
  Weft.Rwlock.read_unlock l;
  Weft.Rwlock.read_unlock l;
  Weft.Rwlock.write_lock l;
  balance := 0;
  Weft.Rwlock.write_unlock l

let () =
  let latch = Weft.Latch.create 2 in
  Weft.Latch.count_down latch;
  Printf.printf "%d\n" (Weft.Latch.count latch);
  let answer = Weft.Ivar.create () in
  Printf.printf "%b\n" (Weft.Ivar.try_fill answer 42);
  Printf.printf "%b\n" (Weft.Ivar.try_fill answer 43);
  Printf.printf "%d\n" (Option.get (Weft.Ivar.peek answer));
  let once = Weft.Once.make (fun () -> 6 * 7) in
  Printf.printf "%b\n" (Weft.Once.is_done once);
  Printf.printf "%d\n" (Weft.Once.get once);
  Printf.printf "%b\n" (Weft.Once.is_done once);
  let v = Weft.Mvar.create ~value:1 () in
  Printf.printf "%d\n" (Weft.Mvar.read v);
  Printf.printf "%d\n" (Weft.Mvar.take v);
  Printf.printf "%b\n" (Weft.Mvar.try_put v 2);
  Printf.printf "%b\n" (Weft.Mvar.try_put v 3);
  Printf.printf "%b\n" (Weft.Mvar.try_read v = Some 2);
  Printf.printf "%b\n" (Weft.Mvar.try_take v = Some 2);
  Weft.Mvar.put v 4

let () =
  let c = Weft.Chan.bounded 2 in
  List.iter (fun n -> Printf.printf "%b\n" (Weft.Chan.send_poll c n)) [ 1; 2; 3 ];
  Printf.printf "%d\n" (Weft.Chan.length c);
  Printf.printf "%d\n" (Option.get (Weft.Chan.recv_poll c));
  Weft.Chan.close c;
  Printf.printf "%b\n" (Weft.Chan.is_closed c);
  let first = Weft.Chan.recv_opt c in
  Printf.printf "%b %b\n" (first = Some 2) (Weft.Chan.recv_opt c = None);
  (* The first of several. A fair mutex is locked in the order of arrival. *)
  let out = Weft.Chan.(named "out" (unbounded ())) and m = Weft.Mutex.(named "turns" (create_fair ())) in
  let sent =
    Weft.Select.(select [ send out "hello" (fun () -> "sent"); timeout 1. (fun () -> "too late") ])
  in
  Printf.printf "%s\n" sent;
  let locked =
    Weft.Select.(
      select
        [
          lock m (fun () ->
              Weft.Mutex.unlock m;
              "locked");
          timeout 1. (fun () -> "too late");
        ])
  in
  Printf.printf "%s %s\n" locked (Option.get (Weft.Select.poll [ Weft.Select.recv out Fun.id ]));
  (* A thread of your own may resolve what a fiber waits for: then that wait is no deadlock. *)
  let p = Weft.Promise.create () in
  let helper = Thread.create (fun () -> Weft.Promise.resolve p "resolved") () in
  print_endline (Weft.run (fun () -> Weft.Deadlock.expect (fun () -> Weft.await p)));
  Thread.join helper
