(* Programs with and without faults, by the first argument. *)

let both f g = ignore (Weft.par f g : unit * unit)

(* The balance is read under the lock, and written under the lock, but not in between. *)
let lost_update () =
  let m = Weft.Mutex.create () and balance = ref 0 in
  let deposit () =
    let before = Weft.Mutex.protect m (fun () -> !balance) in
    Weft.Mutex.protect m (fun () -> balance := before + 1)
  in
  Weft.run (fun () -> both deposit deposit);
  if !balance <> 2 then failwith "an update was lost"

let counted () =
  let m = Weft.Mutex.create () and balance = ref 0 in
  let deposit () = Weft.Mutex.protect m (fun () -> incr balance) in
  Weft.run (fun () -> both (fun () -> both deposit deposit) (fun () -> both deposit deposit));
  if !balance <> 4 then failwith "an update was lost"

let lock_order () =
  let a = Weft.Mutex.create () and b = Weft.Mutex.create () in
  let within first second () = Weft.Mutex.protect first (fun () -> Weft.Mutex.protect second ignore) in
  Weft.run (fun () -> both (within a b) (within b a))

(* It waits for what another one does only in one order. *)
let livelock () =
  let first = Atomic.make 0 in
  Weft.run (fun () ->
      both
        (fun () ->
          if Atomic.compare_and_set first 0 1 then Weft.yield ()
          else
            while true do
              Weft.yield ()
            done)
        (fun () -> ignore (Atomic.compare_and_set first 0 2 : bool)))

let sleeps () =
  Weft.run (fun () ->
      both
        (fun () -> Weft.sleep 3600.)
        (fun () ->
          match Weft.Cancel.with_timeout 1800. (fun () -> Weft.sleep 7200.) with
          | () -> failwith "no time-out"
          | exception Weft.Cancel.Timeout -> ()))

(* The time is up when the message has come and the receiver is ready. *)
let late () =
  let c = Weft.Chan.bounded 1 and got = ref false in
  let receive () =
    Weft.Chan.recv c;
    Weft.yield ();
    got := true
  in
  Weft.run (fun () ->
      both
        (fun () -> try Weft.Cancel.with_timeout 1. receive with Weft.Cancel.Timeout -> ())
        (fun () -> Weft.Chan.send c ()));
  if not (!got || Weft.Chan.length c = 1) then failwith "a message was lost"

(* Four choices at exact places: the second fiber must look between each two steps of the first. *)
let three () =
  let m = Weft.Mutex.create () and step = ref 0 and seen = ref [] in
  let advance () = Weft.Mutex.protect m (fun () -> incr step) in
  let look () = Weft.Mutex.protect m (fun () -> seen := !step :: !seen) in
  Weft.run (fun () ->
      both
        (fun () ->
          advance ();
          advance ();
          advance ())
        (fun () ->
          look ();
          look ();
          look ()));
  if !seen = [ 3; 2; 1 ] then failwith "seen 1, 2, 3"

let mixed () =
  let c = Weft.Chan.bounded 1 in
  let sum =
    Weft.run (fun () ->
        let sender =
          Weft.async (fun () ->
              for i = 1 to 4 do
                Weft.Chan.send c i
              done)
        in
        let received = List.init 4 (fun _ -> Weft.Chan.recv c) in
        Weft.await sender;
        let squares =
          Weft.Scope.run (fun s -> List.map (fun i -> Weft.Scope.async s (fun () -> i * i)) received)
        in
        List.fold_left (fun sum p -> sum + Weft.await p) 0 squares)
  in
  Weft.run (fun () -> Weft.parallel_for ~start:0 ~finish:20 ~body:(fun _ -> Weft.Cancel.check ()) ());
  let v = Weft.run (fun () -> Weft.blocking (fun () -> 7)) in
  if sum <> 30 || v <> 7 then failwith "wrong"

let () =
  match Sys.argv.(1) with
  | "lost" -> lost_update ()
  | "counted" -> counted ()
  | "order" -> lock_order ()
  | "livelock" -> livelock ()
  | "sleeps" -> sleeps ()
  | "late" -> late ()
  | "three" -> three ()
  | "mixed" -> mixed ()
  | other -> failwith other
