open Support
open Crowd
module Cancel = Weft.Cancel
module Mutex = Weft.Mutex
module Condition = Weft.Condition
module Semaphore = Weft.Semaphore
module Rwlock = Weft.Rwlock

(* Each fiber does [step] under a token of its own, which others cancel at any moment; then it gets a new
   token. [step] must restore everything as it was, whatever happens. *)
let under_fire ~fibers ~times step =
  let tokens = Array.init fibers (fun _ -> Atomic.make (Cancel.create ())) and over = Atomic.make 0 in
  let cancelled = Atomic.make 0 and went_well = Atomic.make 0 in
  let fiber me () =
    for i = 1 to times do
      match Cancel.within (Atomic.get tokens.(me)) (fun () -> step me i) with
      | () -> Atomic.incr went_well
      | exception Cancel.Cancelled _ ->
          Atomic.incr cancelled;
          Atomic.set tokens.(me) (Cancel.create ())
    done;
    Atomic.incr over
  in
  let enemy =
    Domain.spawn (fun () ->
        let rand = Random.State.make [| times |] in
        while Atomic.get over < fibers do
          Cancel.cancel (Atomic.get tokens.(Random.State.int rand fibers));
          for _ = 1 to Random.State.int rand 200 do
            Domain.cpu_relax ()
          done
        done)
  in
  ignore (Weft.all (List.init fibers fiber));
  Domain.join enemy;
  check_int "each step ended" (fibers * times) (Atomic.get cancelled + Atomic.get went_well)

let mutex () =
  in_each_size @@ fun () ->
  let m = Mutex.create () and shared = shared () and entered = Atomic.make 0 in
  under_fire ~fibers:8 ~times:300 (fun _ i ->
      Mutex.protect m (fun () ->
          Cancel.shield (fun () ->
              work shared i;
              Atomic.incr entered)));
  check_int "a waiter that got in, was alone" (Atomic.get entered) shared.count;
  check_bool "free at the end" true (Mutex.try_lock m)

let condition () =
  in_each_size @@ fun () ->
  (* There are as many permits as before: a cancelled waiter must not keep the signal. *)
  let m = Mutex.create () and c = Condition.create () and permits = ref 2 in
  under_fire ~fibers:8 ~times:200 (fun _ _ ->
      Mutex.protect m (fun () ->
          while !permits = 0 do
            Condition.wait c m
          done;
          decr permits);
      Fun.protect Weft.yield ~finally:(fun () ->
          Cancel.shield (fun () ->
              Mutex.protect m (fun () ->
                  incr permits;
                  Condition.signal c))));
  check_int "all permits are back" 2 !permits;
  check_bool "free at the end" true (Mutex.try_lock m)

let semaphore () =
  in_each_size @@ fun () ->
  let s = Semaphore.create 2 in
  under_fire ~fibers:8 ~times:300 (fun _ _ -> Semaphore.protect s Weft.yield);
  check_int "all units are back" 2 (Semaphore.available s)

let rwlock () =
  in_each_size @@ fun () ->
  let l = Rwlock.create () and shared = shared () in
  under_fire ~fibers:8 ~times:300 (fun me i ->
      if (me + i) mod 3 = 0 then Rwlock.write l (fun () -> Cancel.shield (fun () -> work shared i))
      else
        Rwlock.read l (fun () ->
            if shared.inside <> 0 then Alcotest.fail "a writer is inside";
            Weft.yield ()));
  check_bool "free at the end" true (Rwlock.try_write_lock l)

let handed_over_or_cancelled () =
  (* The waiter is cancelled and handed the lock, in either order, before it runs. *)
  Weft.run ~domains:1 @@ fun () ->
  let attempt ~unlock_first =
    let m = Mutex.create () and token = Cancel.create () in
    Mutex.lock m;
    let waiters =
      in_line 2 (fun i ->
          match (if i = 0 then Cancel.within token else fun f -> f ()) (fun () -> Mutex.lock m) with
          | () ->
              Mutex.unlock m;
              true
          | exception Cancel.Cancelled _ -> false)
    in
    if unlock_first then Mutex.unlock m;
    Cancel.cancel token;
    if not unlock_first then Mutex.unlock m;
    let served = List.map Weft.await waiters in
    check_bool "free at the end" true (Mutex.try_lock m);
    served
  in
  Alcotest.(check (list bool)) "cancelled first" [ false; true ] (attempt ~unlock_first:false);
  Alcotest.(check (list bool)) "handed over first" [ true; true ] (attempt ~unlock_first:true)

let cancelled_already () =
  Weft.run ~domains:1 @@ fun () ->
  let m = Mutex.create () and c = Condition.create () and token = Cancel.create () in
  let free = Mutex.create () in
  Mutex.lock m;
  let other =
    Weft.async (fun () ->
        match
          Cancel.within token (fun () ->
              Cancel.cancel token;
              (match Mutex.lock free with
              | () -> Alcotest.fail "locked, though it is cancelled"
              | exception Cancel.Cancelled _ -> ());
              Mutex.lock m)
        with
        | () -> Alcotest.fail "locked twice"
        | exception Cancel.Cancelled _ -> ())
  in
  yield_until "the other has ended" (fun () -> Weft.Promise.is_settled other);
  Weft.await other;
  check_bool "never locked" true (Mutex.try_lock free);
  (match
     let token = Cancel.create () in
     Cancel.within token (fun () ->
         Cancel.cancel token;
         Condition.wait c m)
   with
  | () -> Alcotest.fail "woken without a signal"
  | exception Cancel.Cancelled _ -> ());
  check_bool "held afterwards" true (Mutex.Private.is_mine m);
  Mutex.unlock m;
  check_bool "free at the end" true (Mutex.try_lock m)

let wait_is_shielded_at_its_end () =
  (* The fiber is signalled, then cancelled while it waits for the mutex: it returns with the mutex, and in
     time. *)
  Weft.run ~domains:1 @@ fun () ->
  let m = Mutex.create () and c = Condition.create () and token = Cancel.create () in
  let waiter =
    in_line 1 (fun _ ->
        Cancel.within token (fun () ->
            Mutex.lock m;
            Condition.wait c m;
            let held = Mutex.Private.is_mine m in
            Mutex.unlock m;
            held))
  in
  Mutex.lock m;
  Condition.signal c;
  for _ = 1 to 5 do
    Weft.yield ()
  done;
  Cancel.cancel token;
  for _ = 1 to 5 do
    Weft.yield ()
  done;
  check_bool "still waits" false (List.exists Weft.Promise.is_settled waiter);
  Mutex.unlock m;
  check_bool "held" true (List.for_all Weft.await waiter)

let tests =
  [
    case "mutex: cancelled waiters swallow no hand-over" mutex;
    case "condition: cancelled waiters swallow no signal" condition;
    case "semaphore: cancelled waiters keep no unit" semaphore;
    case "rwlock: cancelled waiters hold nothing" rwlock;
    case "mutex: handed over or cancelled, never both" handed_over_or_cancelled;
    case "mutex: a waiter that is cancelled already does not wait" cancelled_already;
    case "condition: the mutex is locked again under a shield" wait_is_shielded_at_its_end;
  ]
