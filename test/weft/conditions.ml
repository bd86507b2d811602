open Support
open Crowd
module Mutex = Weft.Mutex
module Condition = Weft.Condition

(* A queue of bounded capacity. *)
type 'a buffer = {
  lock : Mutex.t;
  not_empty : Condition.t;
  not_full : Condition.t;
  items : 'a Queue.t;
  room : int;
}

let buffer room =
  {
    lock = Mutex.create ();
    not_empty = Condition.create ();
    not_full = Condition.create ();
    items = Queue.create ();
    room;
  }

let put b x =
  Mutex.protect b.lock (fun () ->
      while Queue.length b.items = b.room do
        Condition.wait b.not_full b.lock
      done;
      Queue.add x b.items;
      Condition.signal b.not_empty)

let take ?timeout b =
  Mutex.protect b.lock (fun () ->
      while Queue.is_empty b.items do
        match timeout with
        | None -> Condition.wait b.not_empty b.lock
        | Some seconds -> Condition.wait_timeout seconds b.not_empty b.lock
      done;
      let x = Queue.take b.items in
      Condition.signal b.not_full;
      x)

let bounded_buffer () =
  on_each_size @@ fun pool ->
  let b = buffer 3 and sum = Atomic.make 0 and n = 300 in
  everywhere pool ~fibers:10 ~threads:3 (fun me ->
      for i = 1 to n do
        if me land 1 = 0 then put b i else ignore (Atomic.fetch_and_add sum (take b))
      done);
  check_int "everything arrived" (7 * n * (n + 1) / 2) (Atomic.get sum);
  check_int "and nothing is left" 0 (Queue.length b.items)

let impatient_takers () =
  (* A fiber whose time is up must not take a signal with it: each item is taken in the end. *)
  on_each_size @@ fun pool ->
  let b = buffer max_int and taken = Atomic.make 0 and n = 50 in
  everywhere pool ~fibers:10 ~threads:3 (fun me ->
      let rand = Random.State.make [| me |] in
      if me land 1 = 0 then
        for i = 1 to n do
          put b i;
          if i land 7 = 0 then Thread.delay 0.001
        done
      else
        while Atomic.get taken < 7 * n do
          match take ~timeout:(Random.State.float rand 0.002) b with
          | _ -> Atomic.incr taken
          | exception Weft.Cancel.Timeout -> ()
        done);
  check_int "everything was taken" (7 * n) (Atomic.get taken)

let in_order () =
  Weft.run ~domains:1 @@ fun () ->
  let m = Mutex.create () and c = Condition.create () and woken = ref [] in
  let waiters =
    in_line 10 (fun i ->
        Mutex.protect m (fun () ->
            Condition.wait c m;
            woken := i :: !woken))
  in
  (* Exactly [n] are woken, and no more. *)
  let are_woken what n =
    yield_until what (fun () -> List.length !woken >= n);
    for _ = 1 to 20 do
      Weft.yield ()
    done;
    check_int what n (List.length !woken)
  in
  let so_far what expected =
    are_woken what (List.length expected);
    Alcotest.(check (list int)) what expected (List.rev !woken)
  in
  so_far "nobody without a signal" [];
  Condition.signal c;
  so_far "one signal, the first" [ 0 ];
  Condition.signal c;
  so_far "another" [ 0; 1 ];
  Condition.signal c;
  Condition.signal c;
  are_woken "two more" 4;
  Condition.broadcast c;
  List.iter Weft.await waiters;
  check_int "all" 10 (List.length !woken);
  (* Nobody waits, so these signals are not remembered. *)
  Condition.signal c;
  Condition.broadcast c;
  Mutex.lock m;
  (match Condition.wait_timeout 0.001 c m with
  | () -> Alcotest.fail "woken by an old signal"
  | exception Weft.Cancel.Timeout -> ());
  Mutex.unlock m

let signal_skips_who_gave_up () =
  Weft.run ~domains:1 @@ fun () ->
  let m = Mutex.create () and c = Condition.create () in
  let tokens = Array.init 4 (fun _ -> Weft.Cancel.create ()) in
  let waiters =
    in_line 4 (fun i ->
        match
          Weft.Cancel.within tokens.(i) (fun () ->
              Mutex.protect m (fun () ->
                  Fun.protect
                    (fun () -> Condition.wait c m)
                    ~finally:(fun () -> check_bool "held" true (Mutex.Private.is_mine m))))
        with
        | () -> i = 3
        | exception Weft.Cancel.Cancelled _ -> i < 3)
  in
  (* The cancelled fibers have not run since. *)
  for i = 0 to 2 do
    Weft.Cancel.cancel tokens.(i)
  done;
  Condition.signal c;
  List.iter (fun p -> check_bool "as expected" true (Weft.await p)) waiters

let held_afterwards () =
  in_each_size @@ fun () ->
  let m = Mutex.create () and c = Condition.create () in
  raises_invalid "without the mutex" "Weft.Condition.wait: " (fun () -> Condition.wait c m);
  apart (fun () ->
      Mutex.lock m;
      (match Condition.wait_timeout 0.01 c m with
      | () -> Alcotest.fail "woken without a signal"
      | exception Weft.Cancel.Timeout -> ());
      Mutex.unlock m);
  Mutex.lock m;
  apart (fun () -> raises_invalid "another's" "Weft.Condition.wait: " (fun () -> Condition.wait c m));
  Mutex.unlock m

let held_afterwards_contended () =
  (* The time is up while another fiber holds the mutex: wait returns only after it has the mutex again. *)
  on_each_size @@ fun pool ->
  let m = Mutex.create () and c = Condition.create () and shared = shared () in
  everywhere pool ~fibers:10 ~threads:2 (fun _ ->
      for i = 1 to 20 do
        Mutex.lock m;
        (match Condition.wait_timeout 0.0015 c m with
        | () -> Alcotest.fail "woken without a signal"
        | exception Weft.Cancel.Timeout -> ());
        work shared (4 * i);
        Mutex.unlock m
      done);
  check_int "all counted" (13 * 20) shared.count

let alarms_leave_it_whole () =
  on_each_size @@ fun pool ->
  let b = buffer 2 and over = Atomic.make false in
  let put_or_take me () =
    while not (Atomic.get over) do
      if me land 1 = 0 then put b me else ignore (take b)
    done
  in
  let fibers = List.init 4 (fun me -> Weft.Pool.async pool (put_or_take me)) in
  Fun.protect ~finally:(fun () -> Atomic.set over true) @@ fun () ->
  with_alarms pool ~every:0.004 ~at_least:50 (fun () ->
      Mutex.protect b.lock (fun () ->
          match Condition.wait b.not_empty b.lock with
          | () -> Condition.signal b.not_empty
          | exception exn ->
              if not (Mutex.Private.is_mine b.lock) then Alcotest.fail "not held afterwards";
              raise exn));
  Atomic.set over true;
  (* Wakes the fibers that still wait. *)
  let rec let_go () =
    if not (List.for_all Weft.Promise.is_settled fibers) then begin
      Mutex.protect b.lock (fun () ->
          if Queue.is_empty b.items then Queue.add 0 b.items else Queue.clear b.items;
          Condition.broadcast b.not_empty;
          Condition.broadcast b.not_full);
      Thread.yield ();
      let_go ()
    end
  in
  let_go ();
  List.iter Weft.await fibers

let tests =
  [
    case "condition: a bounded buffer" bounded_buffer;
    case "condition: signals are not lost on those that give up" impatient_takers;
    case "condition: first come, first woken, and only by a signal" in_order;
    case "condition: a signal passes over those that have given up" signal_skips_who_gave_up;
    case "condition: the mutex is held afterwards, and must be before" held_afterwards;
    case "condition: whoever gives up waits for the mutex" held_afterwards_contended;
    case "condition: signals' exceptions leave it whole" alarms_leave_it_whole;
  ]
