open Support
module B = Weft.Broadcast
module Cancel = Weft.Cancel

let lagged what n f =
  match f () with
  | _ -> Alcotest.failf "%s: nothing is missing" what
  | exception B.Lagged k -> check_int what n k

let closed what f = match f () with _ -> Alcotest.failf "%s: not closed" what | exception B.Closed -> ()

let one_reader () =
  let c = B.create 3 in
  B.send c 0;
  let s = B.subscribe c in
  check "only what comes later" (B.recv_poll s = None);
  List.iter (B.send c) [ 1; 2; 3 ];
  check_int "unread" 3 (B.unread s);
  check_int "in order" 1 (B.recv s);
  check_int "in order" 2 (B.recv s);
  List.iter (B.send c) [ 4; 5; 6; 7; 8 ];
  check_int "unread" 6 (B.unread s);
  lagged "dropped" 3 (fun () -> B.recv s);
  check_int "the eldest left" 6 (B.recv s);
  let late = B.subscribe c in
  List.iter (B.send c) [ 9; 10; 11; 12 ];
  lagged "dropped" 3 (fun () -> B.recv_poll s);
  lagged "dropped" 1 (fun () -> B.recv late);
  B.close c;
  B.close c;
  check "closed" (B.is_closed c);
  closed "send" (fun () -> B.send c 13);
  List.iter (fun n -> check_int "what is left" n (B.recv s)) [ 10; 11; 12 ];
  closed "the end" (fun () -> B.recv s);
  check "the end" (B.recv_poll s = None);
  check_int "each for itself" 10 (B.recv late);
  closed "a new one" (fun () -> B.recv (B.subscribe c))

let misuse () =
  raises_invalid "no room" "Weft.Broadcast.create: " (fun () -> B.create 0);
  raises_invalid "negative" "Weft.Broadcast.create: " (fun () -> B.create (-1));
  raises_invalid "too much" "Weft.Broadcast.create: " (fun () -> B.create max_int)

let waits () =
  in_each_size @@ fun () ->
  let c = B.create 2 in
  let subscribed = List.init 3 (fun _ -> B.subscribe c) in
  let readers = List.map (fun s -> start_waiting (fun () -> B.recv s)) subscribed in
  B.send c 5;
  List.iter (fun p -> check_int "all get it" 5 (Weft.await p)) readers;
  let readers = List.map (fun s -> start_waiting (fun () -> B.recv s)) subscribed in
  B.close c;
  List.iter (fun p -> closed "all are told" (fun () -> Weft.await p)) readers

let gives_up () =
  in_each_size @@ fun () ->
  let c = B.create 2 and token = Cancel.create () in
  let s = B.subscribe c in
  let p = start_waiting (fun () -> Cancel.within token (fun () -> B.recv s)) in
  Cancel.cancel token;
  (match Weft.await p with _ -> Alcotest.fail "it got one" | exception Cancel.Cancelled _ -> ());
  List.iter
    (fun timeout ->
      match B.recv ~timeout s with _ -> Alcotest.fail "it got one" | exception Cancel.Timeout -> ())
    [ 0.001; 0.; -1. ];
  let size = Obj.reachable_words (Obj.repr c) in
  for _ = 1 to 1000 do
    match B.recv ~timeout:0. s with _ -> Alcotest.fail "it got one" | exception Cancel.Timeout -> ()
  done;
  check_int "nothing is left" size (Obj.reachable_words (Obj.repr c));
  B.send c 1;
  check_int "nothing is missed" 1 (B.recv ~timeout:0. s)

let pool_closed () =
  let c = B.create 2 in
  let s = B.subscribe c in
  waits_and_is_ended (fun () -> ignore (B.recv s : int));
  B.send c 1;
  check_int "nothing is missed" 1 (B.recv s)

(* Readers of all kinds, some slow: what each has got and missed adds up, in order. *)
let nothing_is_lost () =
  in_each_size @@ fun () ->
  let n = tries 1000 and c = B.create 16 in
  let reader k s () =
    let rec read last missed =
      match B.recv s with
      | i ->
          check_int "the next, or so many later" i (last + missed + 1);
          if i mod (k + 2) = 0 then Weft.yield ();
          read i 0
      | exception B.Lagged more -> read last (missed + more)
      | exception B.Closed -> last + missed
    in
    check_int "all" n (read 0 0)
  in
  let subscribed = Array.init 5 (fun _ -> B.subscribe c) in
  let thread = Thread.create (reader 0 subscribed.(0)) () in
  let send () =
    for i = 1 to n do
      B.send c i;
      if i land 7 = 0 then Weft.yield ()
    done;
    B.close c
  in
  ignore (Weft.all (send :: List.init 4 (fun k -> reader k subscribed.(k + 1))) : unit list);
  Thread.join thread

(* Several fibers read from one subscription. *)
let shared () =
  in_each_size @@ fun () ->
  let n = 300 and c = B.create 1000 in
  let s = B.subscribe c and sum = Atomic.make 0 in
  let rec read () =
    match B.recv s with
    | i ->
        ignore (Atomic.fetch_and_add sum i : int);
        read ()
    | exception B.Closed -> ()
  in
  let send () =
    for i = 1 to n do
      B.send c i;
      Weft.yield ()
    done;
    B.close c
  in
  ignore (Weft.all [ send; read; read; read ] : unit list);
  check_int "each once" (n * (n + 1) / 2) (Atomic.get sum)

let tests =
  [
    case "broadcast: order, lag, the end" one_reader;
    case "broadcast: misuse" misuse;
    case "broadcast: all that wait get it" waits;
    case "broadcast: who gives up leaves nothing and misses nothing" gives_up;
    case "broadcast: a pool that is closed" pool_closed;
    case "broadcast: read and missed messages add up" nothing_is_lost;
    case "broadcast: several fibers share a subscription" shared;
  ]
