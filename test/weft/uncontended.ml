open Support
open Endings
module Cancel = Weft.Cancel
module Chan = Weft.Chan
module Limit = Weft.Limit
module Mutex = Weft.Mutex
module Mvar = Weft.Mvar
module Promise = Weft.Promise
module Rwlock = Weft.Rwlock
module Scope = Weft.Scope
module Semaphore = Weft.Semaphore
module Map = Weft_batch.Red_black.Make (Int)

exception Failed

(* An operation that never has to wait, and whether nothing of it is half done. *)
type operation = { name : string; op : unit -> unit; is_whole : unit -> bool }

let always () = true

let operations () =
  let mutex = Mutex.create () and fair = Mutex.create_fair () and semaphore = Semaphore.create 1 in
  let rwlock = Rwlock.create () and messages = Chan.unbounded () and limit = Limit.create 1 in
  let mvar = Mvar.create ~value:1 () and ivar = Weft.Ivar.create () and map = Map.create () in
  let settled = Promise.of_value () and once = Weft.Once.make ignore and latch = Weft.Latch.create 0 in
  let barrier = Weft.Barrier.create 1 in
  Weft.Ivar.fill ivar ();
  Weft.Once.get once;
  for _ = 1 to 1_000 do
    Chan.send messages ()
  done;
  let is_free m () =
    Mutex.try_lock m
    &&
    (Mutex.unlock m;
     true)
  in
  let is_free_to_write () =
    Rwlock.try_write_lock rwlock
    &&
    (Rwlock.write_unlock rwlock;
     true)
  in
  [
    {
      name = "Mutex.lock";
      op =
        (fun () ->
          Mutex.lock mutex;
          Mutex.unlock mutex);
      is_whole = is_free mutex;
    };
    { name = "Mutex.protect"; op = (fun () -> Mutex.protect fair ignore); is_whole = is_free fair };
    {
      name = "Semaphore.protect";
      op = (fun () -> Semaphore.protect semaphore ignore);
      is_whole = (fun () -> Semaphore.available semaphore = 1);
    };
    { name = "Rwlock.read"; op = (fun () -> Rwlock.read rwlock ignore); is_whole = is_free_to_write };
    { name = "Rwlock.write"; op = (fun () -> Rwlock.write rwlock ignore); is_whole = is_free_to_write };
    {
      name = "Chan.send";
      op =
        (fun () ->
          Chan.send messages ();
          ignore (Chan.recv_poll messages));
      is_whole = always;
    };
    {
      name = "Chan.recv";
      op =
        (fun () ->
          Chan.recv messages;
          ignore (Chan.send_poll messages ()));
      is_whole = (fun () -> Chan.length messages >= 999);
    };
    {
      name = "Mvar.take, put";
      op =
        (fun () ->
          let v = Mvar.take mvar in
          if not (Mvar.try_put mvar v) then Alcotest.fail "taken, and full");
      is_whole = (fun () -> Mvar.try_read mvar = Some 1);
    };
    { name = "Mvar.read"; op = (fun () -> ignore (Mvar.read mvar)); is_whole = always };
    { name = "await"; op = (fun () -> Weft.await settled); is_whole = always };
    { name = "Ivar.read"; op = (fun () -> Weft.Ivar.read ivar); is_whole = always };
    { name = "Latch.wait"; op = (fun () -> Weft.Latch.wait latch); is_whole = always };
    { name = "Once.get"; op = (fun () -> Weft.Once.get once); is_whole = always };
    { name = "Barrier.wait"; op = (fun () -> ignore (Weft.Barrier.wait barrier)); is_whole = always };
    {
      name = "Select.select";
      op = (fun () -> ignore (Weft.Select.select [ Weft.Select.await settled Fun.id ]));
      is_whole = always;
    };
    {
      name = "Limit.run";
      op = (fun () -> Limit.run limit ignore);
      is_whole = (fun () -> Limit.running limit = 0);
    };
    {
      name = "a batched operation";
      op = (fun () -> Map.add map 1 1);
      is_whole = (fun () -> Map.length map <= 1);
    };
  ]

let whole { name; is_whole; _ } = check_bool (name ^ ": all or nothing") true (is_whole ())

(* The loop goes on until it is cancelled. *)
let for_ever { name; op; _ } begun () =
  while true do
    op ();
    Atomic.set begun true
  done;
  Alcotest.fail name

let failed_scopes_end () =
  in_each_size @@ fun () ->
  let test operation =
    let begun = Atomic.make false in
    let fail () =
      yield_until operation.name (fun () -> Atomic.get begun);
      raise Failed
    in
    fails_with operation.name Failed (fun () ->
        returns operation.name (fun () ->
            Scope.run (fun s ->
                Scope.start s (for_ever operation begun);
                Scope.start s fail)));
    whole operation
  in
  List.iter test (operations ())

let time_outs_come () =
  in_each_size @@ fun () ->
  let test operation =
    times_out operation.name (fun () ->
        returns operation.name (fun () -> Cancel.with_timeout 0.001 (for_ever operation (Atomic.make false))));
    whole operation
  in
  List.iter test (operations ())

let nothing_is_done () =
  in_each_size @@ fun () ->
  let test operation =
    let token = Cancel.create () and is_done = ref false in
    is_cancelled operation.name "why" (fun () ->
        Cancel.within token (fun () ->
            Cancel.cancel ~reason:"why" token;
            operation.op ();
            is_done := true));
    check_bool (operation.name ^ ": done") false !is_done;
    whole operation;
    (* A shield hides the request. *)
    is_cancelled operation.name "why" (fun () ->
        let token = Cancel.create () in
        Cancel.within token (fun () ->
            Cancel.cancel ~reason:"why" token;
            Cancel.shield (fun () ->
                operation.op ();
                is_done := true);
            Cancel.check ()));
    check_bool (operation.name ^ ": in a shield") true !is_done
  in
  List.iter test (operations ())

let tests =
  [
    case "a failed scope ends, though its tasks never wait" failed_scopes_end;
    case "a time-out comes, though the code never waits" time_outs_come;
    case "an operation that is cancelled has done nothing" nothing_is_done;
  ]
