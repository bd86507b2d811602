open Support
module Chan = Weft.Chan

let capacities = Chans.capacities
let make = Chans.make

(* --- giving up --- *)

let words c = Obj.reachable_words (Obj.repr c)

let ends_with_its_pool () =
  List.iter
    (fun n ->
      let c = make n in
      let room = words c in
      let ended wait =
        let count = Atomic.make 0 in
        let pool = Weft.Pool.create ~domains:2 () in
        Weft.Pool.run pool (fun () ->
            for _ = 1 to 100 do
              ignore
                (Weft.async (fun () ->
                     match wait () with () -> () | exception Weft.Pool.Closed _ -> Atomic.incr count))
            done);
        Weft.Pool.close pool;
        check_int "waited till the end" 100 (Atomic.get count)
      in
      ended (fun () -> ignore (Chan.recv c));
      check_int "no receiver is left" room (words c);
      check_bool "no receiver is left" (n > 0) (Chan.send_poll c 1);
      for i = 2 to n do
        Chan.send c i
      done;
      ended (fun () -> Chan.send c 3);
      check_int "no sender is left" n
        (List.length (List.of_seq (Seq.of_dispenser (fun () -> Chan.recv_poll c)))))
    [ 0; 1; 2; 7 ]

(* The exception of a signal's handler ends the wait of a thread, which leaves the channel's queue. *)
let interrupted () =
  let c = Chan.bounded 0 in
  let before = Sys.signal Sys.sigusr1 (Signal_handle (fun _ -> raise (Planned 1))) in
  let interrupt wait =
    match interrupting Sys.sigusr1 ~grows:c wait with
    | () -> Alcotest.fail "not interrupted"
    | exception Planned 1 -> ()
  in
  interrupt (fun () -> ignore (Chan.recv c));
  check_bool "no receiver is left" false (Chan.send_poll c 1);
  interrupt (fun () -> Chan.send c 2);
  check_bool "no sender is left" true (Chan.recv_poll c = None);
  Sys.set_signal Sys.sigusr1 before

let put_back () =
  let internal = Chan.Private.to_channel in
  List.iter
    (fun n ->
      let c = make n in
      if n > 0 then Chan.send c 2;
      Weft_sync.Channel.put_back (internal c) (Some 1);
      check_bool "full" (n >= 3) (Chan.send_poll c 3);
      check_bool "in front" true (Chan.recv_poll c = Some 1))
    [ 0; 1; 3 ];
  Weft.run ~domains:1 @@ fun () ->
  let c = Chan.bounded 0 in
  let receiver = start_waiting (fun () -> Chan.recv c) in
  Weft_sync.Channel.put_back (internal c) (Some 1);
  check_int "to the first in line" 1 (Weft.await receiver);
  (* Fibers that wait to send are not let in before there is room. *)
  let c = Chan.bounded 1 in
  Chan.send c 1;
  let sender = start_waiting (fun () -> Chan.send c 2) in
  Weft_sync.Channel.put_back (internal c) (Some 0);
  check_int "in front" 0 (Chan.recv c);
  check_int "as it was" 1 (Chan.length c);
  check_int "the next" 1 (Chan.recv c);
  check_int "who waited" 2 (Chan.recv c);
  Weft.await sender

(* --- garbage --- *)

let keeps_nothing () =
  List.iter
    (fun n ->
      let c = make n in
      let[@inline never] through () =
        let block, weak = mortal () in
        if n = 0 then ignore (Weft.par (fun () -> Chan.send c block) (fun () -> ignore (Chan.recv c)))
        else begin
          Chan.send c block;
          check_int "length" 1000 (Array.length (Chan.recv c))
        end;
        weak
      in
      wait_for_death "a received message" (through ());
      ignore (Sys.opaque_identity c))
    capacities

let gives_up_room () =
  let c = Chan.unbounded () in
  let before = words c in
  for i = 1 to 100_000 do
    Chan.send c i
  done;
  for _ = 1 to 100_000 do
    ignore (Chan.recv c)
  done;
  if words c > before + 300 then Alcotest.failf "%d words are left of a channel of %d" (words c) before;
  let huge = Chan.bounded 1_000_000_000 in
  Chan.send huge 1;
  check_int "a great capacity takes no room" 1 (Chan.recv huge)

let tests =
  [
    case "a waiter that is ended with its pool leaves the line" ends_with_its_pool;
    case "a waiter that is ended by a signal leaves the line" interrupted;
    case "a message that was not seen is put back in front" put_back;
    case "a channel keeps no message alive" keeps_nothing;
    case "a channel gives up the room of many messages" gives_up_room;
  ]
