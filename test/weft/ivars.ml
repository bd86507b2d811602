open Support
module Ivar = Weft.Ivar
module Pool = Weft.Pool

let filled_once () =
  let i = Ivar.create () in
  Alcotest.(check (option int)) "empty" None (Ivar.peek i);
  Ivar.fill i 1;
  Alcotest.(check (option int)) "full" (Some 1) (Ivar.peek i);
  raises_invalid "again" "Weft.Ivar.fill: " (fun () -> Ivar.fill i 2);
  Alcotest.(check bool) "again" false (Ivar.try_fill i 3);
  check_int "the first stays" 1 (Ivar.read i)

let readers () =
  in_each_size @@ fun () ->
  for n = 0 to 50 do
    let i = Ivar.create () in
    let readers = List.init n (fun _ -> Weft.async (fun () -> Ivar.read i)) in
    if n land 1 = 0 then Weft.yield ();
    Ivar.fill i n;
    List.iter (fun r -> check_int "read" n (Weft.await r)) readers;
    check_int "read later" n (Ivar.read i)
  done

let in_order () =
  Weft.run ~domains:1 @@ fun () ->
  (* A reader that is resumed may be preempted before it is seen. *)
  Testing.Watchdog.until_undisturbed "no reader gives way" @@ fun () ->
  let i = Ivar.create () and seen = ref [] in
  let reader k () =
    Ivar.read i;
    seen := k :: !seen
  in
  let readers = List.init 20 (fun k -> start_waiting (reader k)) in
  (* From outside the pool: through its injector, first in, first out. *)
  Thread.join (Thread.create (Ivar.fill i) ());
  List.iter Weft.await readers;
  let order = List.rev !seen in
  if order = List.init 20 Fun.id then Ok ()
  else Error ("the order is " ^ String.concat " " (List.map string_of_int order))

let everybody () =
  on_each_size @@ fun pool ->
  let asked = Ivar.create () and answer = Ivar.create () in
  let read = Array.make 2 0 in
  let threads = List.init 2 (Thread.create (fun k -> read.(k) <- Ivar.read answer)) in
  let domain =
    Domain.spawn (fun () ->
        let question = Ivar.read asked in
        Ivar.fill answer (question + 1);
        Ivar.read answer)
  in
  let of_fibers =
    Pool.run pool (fun () ->
        let readers = List.init 3 (fun _ -> Weft.async (fun () -> Ivar.read answer)) in
        Weft.yield ();
        Ivar.fill asked 1;
        List.map Weft.await readers)
  in
  List.iter Thread.join threads;
  List.iter (check_int "read" 2) ((Domain.join domain :: Array.to_list read) @ of_fibers)

let signal_handlers_fill () =
  on_each_size @@ fun pool ->
  let i = Ivar.create () in
  let before = Sys.signal Sys.sigusr1 (Signal_handle (fun _ -> ignore (Ivar.try_fill i 7))) in
  Fun.protect ~finally:(fun () -> Sys.set_signal Sys.sigusr1 before) @@ fun () ->
  let killer =
    Thread.create
      (fun () ->
        Thread.delay 0.01;
        Unix.kill (Unix.getpid ()) Sys.sigusr1)
      ()
  in
  check_int "read" 7 (Pool.run pool (fun () -> Ivar.read i));
  Thread.join killer

let one_filler_wins () =
  in_each_size @@ fun () ->
  for _ = 1 to 300 do
    let i = Ivar.create () in
    let reader = Weft.async (fun () -> Ivar.read i) in
    let wins = Weft.all (List.init 8 (fun k () -> Ivar.try_fill i k)) in
    check_int "winners" 1 (List.length (List.filter Fun.id wins));
    Alcotest.(check bool) "the winner's value" true (List.nth wins (Weft.await reader))
  done

let met_halfway () =
  (* A reader that is about to wait and a fiber that fills the ivar, on two domains. *)
  let rounds = if deep < 1_000_000 then 3_000 else 20_000 in
  let ivars = Array.init rounds (fun _ -> Ivar.create ()) and turn = Atomic.make (-1) in
  let reader () =
    Array.iteri
      (fun round i ->
        Atomic.set turn round;
        check_int "read" round (Ivar.read i))
      ivars
  in
  let reader = Domain.spawn reader in
  Array.iteri
    (fun round i ->
      while Atomic.get turn < round do
        Domain.cpu_relax ()
      done;
      spin (round * 7 mod 600);
      Ivar.fill i round)
    ivars;
  Domain.join reader

let two_fillers () =
  let rounds = if deep < 1_000_000 then 3_000 else 20_000 in
  let ivars = Array.init rounds (fun _ -> Ivar.create ()) and turn = Atomic.make (-1) in
  let fill_all who before =
    Array.mapi
      (fun round i ->
        before round;
        Ivar.try_fill i who)
      ivars
  in
  let other = Domain.spawn (fun () -> fill_all 1 (Atomic.set turn)) in
  let wait round =
    while Atomic.get turn < round do
      Domain.cpu_relax ()
    done
  in
  let mine = fill_all 0 wait in
  let others = Domain.join other in
  Array.iteri
    (fun round i ->
      check "one of them" (mine.(round) <> others.(round));
      check_int "the winner's" (Bool.to_int others.(round)) (Ivar.read i))
    ivars

let who_is_ended_leaves () =
  in_each_size @@ fun () ->
  let i = Ivar.create () in
  let before = Weft.async (fun () -> Ivar.read i) in
  Weft.yield ();
  waits_and_is_ended (fun () -> Ivar.read i |> ignore);
  let after = Weft.async (fun () -> Ivar.read i) in
  Weft.yield ();
  Ivar.fill i 1;
  check_int "the others read" 2 (Weft.await before + Weft.await after)

let tests =
  [
    case "ivar: filled once" filled_once;
    case "ivar: any number of readers, before and after" readers;
    case "ivar: readers go on first come, first served" in_order;
    case "ivar: fibers, threads and domains" everybody;
    case "ivar: signal handlers may fill" signal_handlers_fill;
    case "ivar: of those that try to fill, one wins" one_filler_wins;
    case "ivar: a reader and a filler meet halfway" met_halfway;
    case "ivar: two domains fill at once" two_fillers;
    case "ivar: a reader whose pool is closed leaves" who_is_ended_leaves;
  ]
