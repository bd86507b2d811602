open Support
module Chan = Weft.Chan

let capacities = [ 0; 1; 2; 7; max_int ]
let make n = if n = max_int then Chan.unbounded () else Chan.bounded n
let in_each_capacity test = in_each_size (fun () -> List.iter test capacities)

let is_closed_for what f =
  match f () with _ -> Alcotest.failf "%s: not closed" what | exception Chan.Closed -> ()

(* --- without waiting --- *)

let order () =
  List.iter
    (fun c ->
      for round = 1 to 5 do
        for i = 1 to 1000 do
          Chan.send c ((1000 * round) + i);
          check_int "length" i (Chan.length c)
        done;
        for i = 1 to 1000 do
          check_int "in order" ((1000 * round) + i) (Chan.recv c)
        done
      done)
    [ Chan.unbounded (); Chan.bounded 1000; Chan.bounded 5000 ]

let polls () =
  let c = Chan.bounded 2 in
  check_bool "empty" true (Chan.recv_poll c = None);
  check_bool "first" true (Chan.send_poll c 1);
  check_bool "second" true (Chan.send_poll c 2);
  check_bool "full" false (Chan.send_poll c 3);
  check_int "length" 2 (Chan.length c);
  check_bool "out" true (Chan.recv_poll c = Some 1);
  check_bool "room" true (Chan.send_poll c 4);
  check_bool "out" true (Chan.recv_poll c = Some 2 && Chan.recv_poll c = Some 4 && Chan.recv_poll c = None);
  let rendezvous = Chan.bounded 0 in
  check_bool "nobody there" false (Chan.send_poll rendezvous 1);
  check_bool "nobody there" true (Chan.recv_poll rendezvous = None)

let misuse () =
  raises_invalid "negative" "Weft.Chan.bounded: negative capacity -1" (fun () -> Chan.bounded (-1))

let closed () =
  let c = Chan.bounded 3 in
  Chan.send c 1;
  Chan.send c 2;
  check_bool "open" false (Chan.is_closed c);
  Chan.close c;
  Chan.close c;
  check_bool "closed" true (Chan.is_closed c);
  is_closed_for "send" (fun () -> Chan.send c 3);
  is_closed_for "send_poll" (fun () -> Chan.send_poll c 3);
  check_int "drained" 1 (Chan.recv c);
  check_bool "drained" true (Chan.recv_opt c = Some 2);
  check_bool "nothing left" true (Chan.recv_poll c = None && Chan.recv_opt c = None);
  is_closed_for "recv" (fun () -> Chan.recv c);
  Chan.iter (fun _ -> Alcotest.fail "a message from nowhere") c;
  check_bool "no sequence" true (Seq.is_empty (Chan.to_seq c));
  check "printed" (String.starts_with ~prefix:"Weft.Chan.Closed: " (Printexc.to_string Chan.Closed))

(* --- waiting --- *)

let rendezvous () =
  Weft.run ~domains:1 @@ fun () ->
  let c = Chan.bounded 0 in
  let steps = ref [] in
  let step s = steps := s :: !steps in
  let sender =
    start_waiting (fun () ->
        Chan.send c 'a';
        step "sent a";
        Chan.send c 'b';
        step "sent b")
  in
  check_bool "waits" true (!steps = []);
  check_int "nothing lies in it" 0 (Chan.length c);
  check_bool "a" true (Chan.recv_poll c = Some 'a');
  check_bool "b is not there yet" true (!steps = []);
  check_bool "b" true (Chan.recv c = 'b');
  Weft.await sender;
  check_bool "both" true (!steps = [ "sent b"; "sent a" ]);
  let receiver = start_waiting (fun () -> Chan.recv c) in
  check_bool "somebody waits" true (Chan.send_poll c 'c');
  check_bool "served already" false (Chan.send_poll c 'd');
  check_bool "c" true (Weft.await receiver = 'c')

let first_come_first_served () =
  Weft.run ~domains:1 @@ fun () ->
  (* Receivers. *)
  List.iter
    (fun n ->
      let c = make n in
      let served = ref [] in
      let receivers =
        List.init 5 (fun i ->
            start_waiting (fun () ->
                let m = Chan.recv c in
                served := (i, m) :: !served))
      in
      for m = 0 to 4 do
        check_bool "handed over" true (Chan.send_poll c m);
        (* The message belongs to the waiter, though it has not run yet. *)
        check_bool "not for a newcomer" true (Chan.recv_poll c = None)
      done;
      List.iter Weft.await receivers;
      check_bool "receivers in order" true (List.sort compare !served = List.init 5 (fun i -> (i, i))))
    capacities;
  (* Senders. *)
  List.iter
    (fun n ->
      let c = make n in
      for i = 1 to n do
        Chan.send c (-i)
      done;
      let senders = List.init 5 (fun i -> start_waiting (fun () -> Chan.send c i)) in
      for i = 1 to n do
        check_int "the eldest" (-i) (Chan.recv c);
        (* The room belongs to a waiter. *)
        check_bool "no room for a newcomer" false (n > 0 && Chan.send_poll c 99)
      done;
      for i = 0 to 4 do
        check_int "senders in order" i (Chan.recv c)
      done;
      List.iter Weft.await senders)
    [ 0; 1; 2; 4 ]

let close_wakes_all () =
  in_each_size @@ fun () ->
  let c = Chan.bounded 1 in
  Chan.send c 0;
  let senders =
    List.init 20 (fun i ->
        Weft.async (fun () -> match Chan.send c i with () -> `Sent | exception Chan.Closed -> `Closed))
  in
  Weft.yield ();
  Chan.close c;
  List.iter (fun p -> check_bool "a waiting sender" true (Weft.await p = `Closed)) senders;
  check_bool "what was sent before" true (Chan.recv_opt c = Some 0 && Chan.recv_opt c = None);
  let c : int Chan.t = Chan.bounded 1 in
  let receivers = List.init 20 (fun _ -> Weft.async (fun () -> Chan.recv_opt c)) in
  Weft.yield ();
  Chan.close c;
  List.iter (fun p -> check_bool "a waiting receiver" true (Weft.await p = None)) receivers

(* Each message is a sender's number and a count. Every message arrives once; each receiver gets those of
   one sender in order. *)
let traffic ~spawn ~senders ~receivers ~messages c =
  let sender s () =
    for i = 0 to messages - 1 do
      Chan.send c (s, i)
    done
  in
  let seen = Array.init senders (fun _ -> Array.init messages (fun _ -> Atomic.make 0)) in
  let receiver () =
    let last = Array.make senders (-1) in
    Chan.iter
      (fun (s, i) ->
        if i <= last.(s) then Alcotest.failf "message %d of sender %d after %d" i s last.(s);
        last.(s) <- i;
        Atomic.incr seen.(s).(i))
      c
  in
  let receiving = List.init receivers (fun _ -> spawn receiver) in
  let sending = List.init senders (fun s -> spawn (sender s)) in
  List.iter (fun join -> join ()) sending;
  Chan.close c;
  List.iter (fun join -> join ()) receiving;
  Array.iteri
    (fun s ->
      Array.iteri (fun i n ->
          if Atomic.get n <> 1 then Alcotest.failf "message %d of sender %d came %d times" i s (Atomic.get n)))
    seen

let fiber f =
  let p = Weft.async f in
  fun () -> Weft.await p

let thread f =
  let failure = ref None in
  let t = Thread.create (fun () -> try f () with exn -> failure := Some exn) () in
  fun () ->
    Thread.join t;
    Option.iter raise !failure

let domain f =
  let d = Domain.spawn f in
  fun () -> Domain.join d

let exactly_once () =
  in_each_capacity @@ fun n ->
  List.iter
    (fun (senders, receivers) -> traffic ~spawn:fiber ~senders ~receivers ~messages:1000 (make n))
    [ (1, 1); (4, 1); (1, 4); (3, 3) ]

let from_anywhere () =
  List.iter
    (fun n ->
      traffic ~spawn:thread ~senders:2 ~receivers:2 ~messages:300 (make n);
      traffic ~spawn:domain ~senders:2 ~receivers:2 ~messages:300 (make n);
      let next = ref 0 in
      let mixed f =
        incr next;
        match !next mod 3 with 0 -> thread f | 1 -> domain f | _ -> fiber f
      in
      Weft.run ~domains:2 (fun () -> traffic ~spawn:mixed ~senders:3 ~receivers:4 ~messages:300 (make n)))
    capacities

let iteration () =
  in_each_capacity @@ fun n ->
  let c = make n in
  let (), sum =
    Weft.par
      (fun () ->
        for i = 1 to 1000 do
          Chan.send c i
        done;
        Chan.close c)
      (fun () -> Seq.fold_left ( + ) 0 (Chan.to_seq c))
  in
  check_int "sum" 500_500 sum;
  let c = make n in
  let (), got =
    Weft.par
      (fun () ->
        for i = 1 to 10 do
          try Chan.send c i with Chan.Closed -> ()
        done)
      (fun () ->
        match Chan.iter (fun i -> if i = 3 then raise (Planned i)) c with
        | () -> Alcotest.fail "iter went on"
        | exception Planned i ->
            let next = Chan.recv c in
            Chan.close c;
            (i, next))
  in
  check_bool "iter ends with the exception" true (got = (3, 4))

(* A channel hands out the tasks of a recursive problem, as in the tutorial of OCaml's parallel
   programming. *)
let task_distribution () =
  in_each_size @@ fun () ->
  let tasks = Chan.unbounded () and results = Chan.bounded 3 in
  let worker () = Chan.iter (fun n -> Chan.send results (fib_of n)) tasks in
  let workers = List.init 4 (fun _ -> Weft.async worker) in
  for i = 1 to 60 do
    Chan.send tasks (i mod 30)
  done;
  Chan.close tasks;
  let sum = ref 0 in
  for _ = 1 to 60 do
    sum := !sum + Chan.recv results
  done;
  List.iter Weft.await workers;
  let expected = List.fold_left (fun s i -> s + fib_of (i mod 30)) 0 (List.init 60 succ) in
  check_int "sum" expected !sum

(* A ring of fibers, in which each waits for the one before: each message suspends and resumes a fiber. *)
let ring_of_fibers () =
  in_each_capacity @@ fun n ->
  let k = 50 and rounds = 20 in
  let links = Array.init k (fun _ -> make n) in
  let fibers =
    List.init (k - 1) (fun i ->
        Weft.async (fun () ->
            for _ = 1 to rounds do
              Chan.send links.(i + 1) (Chan.recv links.(i) + 1)
            done))
  in
  for r = 1 to rounds do
    Chan.send links.(0) r;
    check_int "once around" (r + k - 1) (Chan.recv links.(k - 1))
  done;
  List.iter Weft.await fibers

let tests =
  [
    case "messages come out in order" order;
    case "polls say whether they could" polls;
    case "a negative capacity is refused" misuse;
    case "a closed channel is drained, then closed" closed;
    case "a rendezvous holds nothing" rendezvous;
    case "a waiter that came first is served first, and not overtaken" first_come_first_served;
    case "closing wakes all that wait" close_wakes_all;
    case "every message arrives once, in its sender's order" exactly_once;
    case "fibers, threads and domains send and receive" from_anywhere;
    case "iter and to_seq end with the channel" iteration;
    case "tasks are handed out over a channel" task_distribution;
    case "messages go round a ring of fibers" ring_of_fibers;
  ]
