(* Operations at the very end of a stack: each either does all that it is to do, or nothing, and raises [Stack_overflow]. Nobody waits
   for ever afterwards. *)

open Support
module Promise = Weft.Promise
module Chan = Weft.Chan

(* Words. *)
let limit = 16_384

let with_limit f =
  let before = (Gc.get ()).stack_limit in
  Gc.set { (Gc.get ()) with stack_limit = limit };
  Fun.protect ~finally:(fun () -> Gc.set { (Gc.get ()) with stack_limit = before }) f

let rec deep n f =
  if n = 0 then f ()
  else begin
    deep (n - 1) f;
    ignore (Sys.opaque_identity n : int)
  end

(* The depth at which the stack is full. *)
let full () =
  let fits n = match deep n ignore with () -> true | exception Stack_overflow -> false in
  let rec between lo hi =
    if hi - lo <= 1 then hi
    else
      let middle = (lo + hi) / 2 in
      if fits middle then between middle hi else between lo middle
  in
  between 0 (4 * limit)

(* A stack that has grown stays so. *)
let in_new_fiber f =
  let result = Weft.Ivar.create () in
  let run () =
    Weft.Ivar.fill result
      (match f () with v -> Ok v | exception exn -> Error (exn, Printexc.get_raw_backtrace ()))
  in
  ignore (Weft.async run : unit Weft.promise);
  match Weft.Ivar.read result with
  | Ok v -> v
  | Error (exn, backtrace) -> Printexc.raise_with_backtrace exn backtrace

(* [operation] at each depth, from the end on, until there is room enough. What it is given is made anew each time, by [make]; and
   [check], which is told whether the operation returned, must end. *)
type case =
  | Case : { name : string; make : unit -> 'a; operation : 'a -> unit; check : 'a -> bool -> unit } -> case

let where = ref ""

let try_case (Case c) =
  let rec from room ~well =
    if well < 20 then begin
      where := Printf.sprintf "%s, with room for %d calls" c.name room;
      let attempt () =
        let x = c.make () in
        let returned =
          match deep (full () - room) (fun () -> c.operation x) with
          | () -> true
          | exception Stack_overflow -> false
        in
        c.check x returned;
        returned
      in
      let returned = in_new_fiber attempt in
      from (room + 1) ~well:(if returned then well + 1 else 0)
    end
  in
  from 1 ~well:0

let simple name operation = Case { name; make = ignore; operation; check = (fun () _ -> ()) }

(* Somebody waits; the operation lets them go on, and if it has failed, [again] does. *)
let waking name make wait operation again =
  let make () =
    let x = make () in
    (x, List.init 3 (fun _ -> start_waiting (fun () -> wait x)))
  in
  let check (x, waiters) returned =
    if not returned then again x;
    List.iter Weft.await waiters
  in
  Case { name; make; operation = (fun (x, _) -> operation x); check }

let cases =
  [
    simple "a fork" (fun () -> ignore (Weft.par ignore ignore));
    simple "a fork whose left side gives way" (fun () -> ignore (Weft.par Weft.yield ignore));
    simple "a fork that fails" (fun () ->
        match Weft.par (fun () -> raise Exit) ignore with _ -> () | exception Exit -> ());
    simple "a task" (fun () -> Weft.await (Weft.async ignore));
    simple "a task that gives way" (fun () -> Weft.await (Weft.async Weft.yield));
    simple "giving way" Weft.yield;
    simple "a sleep" (fun () -> Weft.sleep 0.000_01);
    simple "a loop" (fun () -> Weft.parallel_for ~start:1 ~finish:100 ~body:ignore ());
    simple "a loop that waits" (fun () ->
        Weft.parallel_for ~start:1 ~finish:4 ~body:(fun _ -> Weft.yield ()) ());
    simple "a reduction" (fun () ->
        ignore (Weft.parallel_for_reduce ~start:1 ~finish:100 ~body:Fun.id ( + ) 0 : int));
    simple "a scope" (fun () ->
        Weft.Scope.run (fun s -> ignore (Weft.Scope.async s Weft.yield : unit Weft.promise)));
    simple "a time-out" (fun () -> Weft.Cancel.with_timeout 3600. Weft.yield);
    simple "a blocking call" (fun () -> Weft.blocking ignore);
    waking "a promise" Promise.create Weft.await
      (fun p -> Promise.resolve p ())
      (fun p -> ignore (Promise.try_resolve p () : bool));
    waking "an ivar" Weft.Ivar.create Weft.Ivar.read
      (fun i -> Weft.Ivar.fill i ())
      (fun i -> ignore (Weft.Ivar.try_fill i () : bool));
    waking "a latch"
      (fun () -> Weft.Latch.create 1)
      Weft.Latch.wait Weft.Latch.count_down
      (fun l -> if Weft.Latch.count l > 0 then Weft.Latch.count_down l);
    waking "a mutex"
      (fun () ->
        let m = Weft.Mutex.create () in
        Weft.Mutex.lock m;
        m)
      (fun m -> Weft.Mutex.protect m ignore)
      Weft.Mutex.unlock Weft.Mutex.unlock;
    waking "a closed channel"
      (fun () -> Chan.bounded 1)
      (fun c -> match Chan.recv c with () -> () | exception Chan.Closed -> ())
      Chan.close Chan.close;
    Case
      {
        name = "a semaphore";
        make =
          (fun () ->
            let s = Weft.Semaphore.create 0 in
            (s, start_waiting (fun () -> Weft.Semaphore.acquire s)));
        operation = (fun (s, _) -> Weft.Semaphore.release s);
        check =
          (fun (s, waiter) returned ->
            if not returned then Weft.Semaphore.release s;
            Weft.await waiter);
      };
    Case
      {
        name = "a message";
        make =
          (fun () ->
            let c = Chan.bounded 0 in
            (c, start_waiting (fun () -> Chan.recv c)));
        operation = (fun (c, _) -> Chan.send c 1);
        check =
          (fun (c, receiver) returned ->
            if not returned then ignore (Chan.send_poll c 2 : bool);
            check_int "received" 1 (Int.min 1 (Weft.await receiver)));
      };
  ]

(* What is changed in place holds its elements afterwards, in whatever order and with whatever sign. *)
let keeps name elements to_list change =
  let absolute l = List.sort compare (List.map abs l) in
  let check t _ = Support.check "all elements" (absolute (to_list (elements ())) = absolute (to_list t)) in
  Case { name; make = elements; operation = change; check }

let scattered = Array.init 1_000 (fun i -> (i * 7919 mod 1_009) + 1)

let in_place =
  let array () = Array.copy scattered in
  let floats () = Stdlib.Float.Array.init 1_000 (fun i -> float scattered.(i)) in
  let bigarray () = Bigarray.Array1.init Int C_layout 1_000 (fun i -> scattered.(i)) in
  let of_floats a = List.map int_of_float (Stdlib.Float.Array.to_list a) in
  let of_bigarray b = List.init 1_000 (fun i -> b.{i}) in
  [
    keeps "a sort" array Array.to_list (Weft.Array.sort (fun (x : int) y -> compare x y));
    keeps "a sort of floats" floats of_floats Weft.Floatarray.sort;
    keeps "a map in place of a bigarray" bigarray of_bigarray (Weft.Bigarray.Array1.map_inplace ( ~- ));
    keeps "a map in place" array Array.to_list (Weft.Array.map_inplace ( ~- ));
    keeps "a shuffle" array Array.to_list (Weft.Array.shuffle (Weft.Random.make 1));
  ]

module Map = Weft_batch.Avl.Make (Int)

let structure name operation =
  let make () =
    let m = Map.create () in
    Map.add_all m (Array.init 100 (fun i -> (i, ())));
    m
  in
  let check m _ =
    Map.add m 1_000 ();
    let found = ref 0 in
    Map.iter (fun _ () -> incr found) m;
    check_int "elements" (Map.length m) !found
  in
  Case { name; make; operation; check }

let structures =
  let all = Array.init 200 (fun i -> (100 + i, ())) in
  [
    structure "an operation" (fun m -> Map.add m 100 ());
    structure "a batch" (fun m -> Map.add_all m all);
    structure "operations that find the structure busy" (fun m ->
        Weft.parallel_for ~start:0 ~finish:50 ~body:(fun i -> Map.add m (200 + i) ()) ());
    (* Which are seen to by the fiber. *)
    Case
      {
        name = "timers that are due";
        make =
          (fun () ->
            let sleepers = List.init 40 (fun _ -> start_waiting (fun () -> Weft.sleep 0.000_2)) in
            let until = Weft_platform.Timer_thread.now () + 400_000 in
            while Weft_platform.Timer_thread.now () < until do
              ignore (Sys.opaque_identity 0)
            done;
            sleepers);
        operation = (fun _ -> Weft.Cancel.check ());
        check = (fun sleepers _ -> List.iter Weft.await sleepers);
      };
  ]

let run domains () =
  watched (fun () -> !where) @@ fun () ->
  with_limit @@ fun () -> Weft.run ~domains (fun () -> List.iter try_case (cases @ in_place @ structures))

let tests =
  List.map
    (fun domains ->
      case (Printf.sprintf "operations at the end of a stack, %d domains" domains) (run domains))
    [ 1; 2 ]
