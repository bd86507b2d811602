open Support
open Crowd
module Semaphore = Weft.Semaphore

let at_most_so_many () =
  on_each_size @@ fun pool ->
  let s = Semaphore.create 3 and inside = Atomic.make 0 in
  everywhere pool ~fibers:10 ~threads:3 (fun _ ->
      for i = 1 to 200 do
        let use () =
          if Atomic.fetch_and_add inside 1 >= 3 then Alcotest.fail "too many";
          if i land 3 = 0 then Weft.yield ();
          Atomic.decr inside
        in
        if i land 1 = 0 then Semaphore.protect s use
        else begin
          Semaphore.acquire s;
          use ();
          Semaphore.release s
        end
      done);
  check_int "all units are back" 3 (Semaphore.available s)

let first_come_first_served () =
  Weft.run ~domains:1 @@ fun () ->
  let s = Semaphore.create 0 and served = ref [] in
  let waiters =
    in_line 50 (fun i ->
        Semaphore.acquire s;
        served := i :: !served)
  in
  for i = 1 to 50 do
    Semaphore.release s;
    check_int "given away" 0 (Semaphore.available s);
    if i < 50 then check_bool "nobody overtakes" false (Semaphore.try_acquire s);
    yield_until "it has run" (fun () -> List.length !served = i)
  done;
  List.iter Weft.await waiters;
  Alcotest.(check (list int)) "in order" (List.init 50 Fun.id) (List.rev !served);
  Semaphore.release s;
  check_bool "one unit" true (Semaphore.try_acquire s && not (Semaphore.try_acquire s))

let misuse () =
  raises_invalid "negative" "Weft.Semaphore.create: " (fun () -> Semaphore.create (-1));
  let s = Semaphore.create max_int in
  raises_invalid "too many" "Weft.Semaphore.release: " (fun () -> Semaphore.release s);
  check_int "as before" max_int (Semaphore.available s);
  Semaphore.acquire s;
  Semaphore.release s;
  Alcotest.check_raises "protect" (Planned 1) (fun () -> Semaphore.protect s (fun () -> raise (Planned 1)));
  check_int "as before" max_int (Semaphore.available s)

let many_give_up () =
  on_each_size @@ fun pool ->
  let s = Semaphore.create 2 and inside = Atomic.make 0 in
  everywhere pool ~fibers:10 ~threads:3 (fun me ->
      let rand = Random.State.make [| me |] in
      for i = 1 to 50 do
        match Semaphore.acquire_timeout (Random.State.float rand 0.002) s with
        | () ->
            if Atomic.fetch_and_add inside 1 >= 2 then Alcotest.fail "too many";
            if i land 3 = 0 then Weft.yield ();
            Atomic.decr inside;
            Semaphore.release s
        | exception Weft.Cancel.Timeout -> ()
      done);
  check_int "all units are back" 2 (Semaphore.available s)

let alarms_leave_it_whole () =
  on_each_size @@ fun pool ->
  let s = Semaphore.create 1 and over = Atomic.make false in
  let user () =
    while not (Atomic.get over) do
      Semaphore.protect s Weft.yield
    done
  in
  let fibers = List.init 3 (fun _ -> Weft.Pool.async pool user) in
  Fun.protect ~finally:(fun () -> Atomic.set over true) @@ fun () ->
  with_alarms pool ~every:0.002 ~at_least:50 (fun () -> Semaphore.protect s ignore);
  Atomic.set over true;
  List.iter Weft.await fibers;
  check_int "all units are back" 1 (Semaphore.available s)

let tests =
  [
    case "semaphore: at most so many at a time" at_most_so_many;
    case "semaphore: first come, first served" first_come_first_served;
    case "semaphore: misuse is told" misuse;
    case "semaphore: those that give up keep no unit" many_give_up;
    case "semaphore: signals' exceptions leave it whole" alarms_leave_it_whole;
  ]
