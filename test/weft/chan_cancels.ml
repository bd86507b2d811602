open Support
module Cancel = Weft.Cancel
module Chan = Weft.Chan
module Promise = Weft.Promise
module Select = Weft.Select

let make = Chans.make
let words = Chan_ends.words

let times_out what f =
  match f () with _ -> Alcotest.failf "%s: no time-out" what | exception Cancel.Timeout -> ()

let is_cancelled_with reason what f =
  match f () with
  | _ -> Alcotest.failf "%s: not cancelled" what
  | exception Cancel.Cancelled r when r = reason -> ()

(* --- one at a time --- *)

let times () =
  let empty : int Chan.t = Chan.bounded 0 and full = Chan.bounded 0 in
  let waits f seconds =
    let start = Weft.now () in
    times_out "waits" (fun () -> f seconds);
    let took = Weft.now () -. start in
    if took < seconds then Alcotest.failf "%f instead of %f seconds" took seconds
  in
  let all seconds =
    waits (fun timeout -> Chan.recv ~timeout empty) seconds;
    waits (fun timeout -> Chan.send ~timeout full 1) seconds;
    waits (fun seconds -> Cancel.with_timeout seconds (fun () -> Chan.recv empty)) seconds;
    check_int "select" 3
      (Select.select
         [
           Select.recv empty Fun.id;
           Select.timeout 3600. (fun () -> 2);
           Select.timeout seconds (fun () -> 3);
           Select.send full 4 (fun () -> 4);
         ])
  in
  let both () =
    all 0.01;
    all 0.;
    all (-1.)
  in
  both ();
  Weft.run ~domains:2 both;
  check_bool "nobody is left" true ((not (Chan.send_poll empty 1)) && Chan.recv_poll full = None);
  (* An operation that need not wait succeeds; and a closed channel is reported before a time-out. *)
  let c = Chan.bounded 1 in
  Chan.send ~timeout:0. c 1;
  check_int "at once" 1 (Chan.recv ~timeout:0. c);
  Chan.close c;
  Chans.is_closed_for "recv" (fun () -> Chan.recv ~timeout:0. c);
  Chans.is_closed_for "send" (fun () -> Chan.send ~timeout:0. c 1);
  raises_invalid "nan" "Weft.Chan.recv: " (fun () -> Chan.recv ~timeout:Float.nan empty);
  raises_invalid "nan" "Weft.Select.timeout: " (fun () -> Select.timeout Float.nan Fun.id);
  check_bool "nobody is left" false (Chan.send_poll empty 1)

(* The time-out of a call around a select does not count as the select's own. *)
let time_of_another () =
  in_each_size @@ fun () ->
  let c : int Chan.t = Chan.bounded 0 in
  times_out "around" (fun () ->
      Cancel.with_timeout 0.01 (fun () ->
          Select.select [ Select.recv c Fun.id; Select.timeout 3600. (fun () -> 1) ]));
  check_int "inside" 1
    (Cancel.with_timeout 3600. (fun () ->
         Select.select [ Select.recv c Fun.id; Select.timeout 0.01 (fun () -> 1) ]));
  check_bool "nobody is left" false (Chan.send_poll c 1)

let out_of_the_line () =
  Weft.run ~domains:1 @@ fun () ->
  let receive c = Chan.recv c and select c = Select.select [ Select.recv c Fun.id ] in
  List.iter
    (fun recv ->
      let c = Chan.bounded 0 in
      let waiting = List.init 5 (fun _ -> Cancel.create ()) in
      let fibers = List.map (fun t -> start_waiting (fun () -> Cancel.within t (fun () -> recv c))) waiting in
      List.iteri (fun i t -> if i land 1 = 0 then Cancel.cancel ~reason:"tired" t) waiting;
      (* The cancelled fibers have not run since: the channel skips them. *)
      check_bool "the second" true (Chan.send_poll c 1);
      check_bool "the fourth" true (Chan.send_poll c 3);
      check_bool "nobody else" false (Chan.send_poll c 5);
      List.iteri
        (fun i p ->
          if i land 1 = 0 then is_cancelled_with "tired" "given up" (fun () -> Weft.await p)
          else check_int "its message" i (Weft.await p))
        fibers)
    [ receive; select ];
  List.iter
    (fun n ->
      let c = make n in
      for i = 1 to n do
        Chan.send c (-i)
      done;
      let waiting = List.init 5 (fun _ -> Cancel.create ()) in
      let fibers =
        List.mapi
          (fun i t ->
            start_waiting (fun () ->
                Cancel.within t (fun () ->
                    if i < 3 then Chan.send c i else Select.select [ Select.send c i Fun.id ])))
          waiting
      in
      List.iteri (fun i t -> if i land 1 = 0 then Cancel.cancel ~reason:"tired" t) waiting;
      let got = List.init (n + 2) (fun _ -> Option.get (Chan.recv_poll c)) in
      check_bool "only what was sent" true (got = List.init n (fun i -> -i - 1) @ [ 1; 3 ]);
      check_bool "nothing else" true (Chan.recv_poll c = None);
      List.iteri
        (fun i p ->
          if i land 1 = 0 then is_cancelled_with "tired" "given up" (fun () -> Weft.await p) else Weft.await p)
        fibers)
    [ 0; 1; 2 ]

let cancelled_before () =
  in_each_size @@ fun () ->
  let c = Chan.bounded 0 and token = Cancel.create () in
  is_cancelled_with "early" "within" (fun () ->
      Cancel.within token (fun () ->
          Cancel.cancel ~reason:"early" token;
          is_cancelled_with "early" "recv" (fun () -> Chan.recv c);
          is_cancelled_with "early" "send" (fun () -> Chan.send c 1);
          is_cancelled_with "early" "select" (fun () ->
              Select.select [ Select.recv c ignore; Select.send c 1 Fun.id ]);
          check_int "in a shield" 1
            (Cancel.shield (fun () ->
                 Select.select [ Select.recv c Fun.id; Select.timeout 0.001 (fun () -> 1) ]));
          Cancel.check ()));
  check_bool "nobody is left" true ((not (Chan.send_poll c 1)) && Chan.recv_poll c = None)

let cancelled_with_a_scope () =
  in_each_size @@ fun () ->
  let c : int Chan.t = Chan.bounded 0 in
  (match
     Weft.Scope.run (fun s ->
         for _ = 1 to 20 do
           ignore (Weft.Scope.async s (fun () -> Chan.recv c))
         done;
         for _ = 1 to 20 do
           ignore (Weft.Scope.async s (fun () -> Select.select [ Select.recv c Fun.id ]))
         done;
         Weft.yield ();
         raise (Planned 1))
   with
  | () -> Alcotest.fail "no failure"
  | exception Planned 1 -> ());
  check_bool "nobody is left" false (Chan.send_poll c 1)

(* --- at the same time --- *)

(* A receiver is cancelled at the very moment at which it is handed a message: either it has the message,
   or the sender knows that it has not. *)
let handed_over_or_not () =
  Weft.run ~domains:2 @@ fun () ->
  let c = Chan.bounded 0 and rounds = 20_000 in
  let both = ref 0 in
  for r = 1 to rounds do
    let token = Cancel.create () in
    let receive () =
      match
        Cancel.within token (fun () ->
            if r land 1 = 0 then Chan.recv c else Select.select [ Select.recv c Fun.id ])
      with
      | m -> Some m
      | exception Cancel.Cancelled _ -> None
    in
    let receiver = Weft.async receive in
    let (), sent =
      Weft.par
        (fun () ->
          spin (r land 255);
          Cancel.cancel token)
        (fun () -> Chan.send_poll c r)
    in
    match (sent, Weft.await receiver) with
    | true, Some m when m = r -> incr both
    | false, None -> ()
    | true, _ -> Alcotest.fail "a message was swallowed"
    | false, Some _ -> Alcotest.fail "a message that was not sent was received"
  done

(* Senders and receivers give up at random moments. Each message that was sent arrives once, in order. *)
let random_giving_up ~domains ~senders ~receivers ~messages n =
  Weft.run ~domains @@ fun () ->
  let c = make n in
  let giving_up random wait =
    match Random.State.int random 5 with
    | 0 -> (
        try Some (wait ?timeout:(Some (Random.State.float random 0.0005)) ()) with Cancel.Timeout -> None)
    | 1 -> (
        try Some (Cancel.with_timeout (Random.State.float random 0.0005) (wait ?timeout:None))
        with Cancel.Timeout -> None)
    | 2 -> (
        let token = Cancel.create () in
        let steps = Random.State.int random 500 in
        let canceller =
          Weft.async (fun () ->
              spin steps;
              Cancel.cancel token)
        in
        match Cancel.within token (wait ?timeout:None) with
        | v ->
            Weft.await canceller;
            Some v
        | exception Cancel.Cancelled _ ->
            Weft.await canceller;
            None)
    | _ -> Some (wait ?timeout:None ())
  in
  let sender s () =
    let random = Random.State.make [| s |] in
    List.filter
      (fun i ->
        let send ?timeout () =
          if i land 3 = 0 then
            Select.select
              (Select.send c (s, i) (fun () -> true)
              :: (match timeout with None -> [] | Some t -> [ Select.timeout t (fun () -> false) ]))
          else begin
            Chan.send ?timeout c (s, i);
            true
          end
        in
        giving_up random send = Some true)
      (List.init messages Fun.id)
  and receiver r () =
    let random = Random.State.make [| 1000 + r |] in
    let rec receive got =
      let recv ?timeout () =
        if Random.State.int random 4 = 0 then
          Select.select
            (Select.recv c (fun m -> `Message m)
            :: (match timeout with None -> [] | Some t -> [ Select.timeout t (fun () -> `Nothing) ]))
        else `Message (Chan.recv ?timeout c)
      in
      match giving_up random recv with
      | Some (`Message m) -> receive (m :: got)
      | Some `Nothing | None -> receive got
      | exception Chan.Closed -> List.rev got
    in
    receive []
  in
  let receiving = List.init receivers (fun r -> Weft.async (receiver r)) in
  let sending = List.init senders (fun s -> Weft.async (sender s)) in
  let sent = List.mapi (fun s p -> List.map (fun i -> (s, i)) (Weft.await p)) sending in
  Chan.close c;
  let received = List.map Weft.await receiving in
  let all = List.concat received in
  check_int "as many as were sent" (List.length (List.concat sent)) (List.length all);
  check_bool "what was sent" true (List.sort compare (List.concat sent) = List.sort compare all);
  List.iter
    (fun got ->
      for s = 0 to senders - 1 do
        let its = List.filter_map (fun (t, i) -> if s = t then Some i else None) got in
        check_bool "in order" true (its = List.sort compare its)
      done)
    received

let giving_up_at_random () =
  List.iter
    (fun domains ->
      List.iter
        (fun n -> random_giving_up ~domains ~senders:2 ~receivers:2 ~messages:500 n)
        [ 0; 1; 3; max_int ])
    [ 1; 2; 8 ]

(* --- many --- *)

let many = if deep < 1_000_000 then 10_000 else 20_000

let leaves_nothing what ~room f =
  let before = room () in
  f ();
  let left = room () - before in
  if left > 0 then Alcotest.failf "%s: %d words are left" what left

let nothing_is_left () =
  Weft.run ~domains:2 @@ fun () ->
  let empty : int Chan.t = Chan.bounded 0
  and full = Chan.bounded 1
  and never : int Promise.t = Promise.create () in
  Chan.send full 0;
  let room () = words empty + words full + words never in
  let each what give_up =
    leaves_nothing what ~room @@ fun () ->
    give_up (fun () -> Chan.recv empty);
    give_up (fun () ->
        Chan.send full 1;
        1);
    give_up (fun () ->
        Select.select
          [ Select.recv empty Fun.id; Select.send full 1 (fun () -> 1); Select.await never Fun.id ])
  in
  each "time-outs" (fun wait ->
      let late () =
        match Cancel.with_timeout 0.05 wait with
        | _ -> Alcotest.fail "no time-out"
        | exception Cancel.Timeout -> ()
      in
      List.iter Weft.await (List.init (many / 10) (fun _ -> Weft.async late)));
  leaves_nothing "time-outs of their own" ~room (fun () ->
      let late () = times_out "recv" (fun () -> Chan.recv ~timeout:0.05 empty) in
      List.iter Weft.await (List.init many (fun _ -> Weft.async late)));
  each "cancels" (fun wait ->
      let token = Cancel.create () in
      let tired () =
        match Cancel.within token wait with
        | _ -> Alcotest.fail "not cancelled"
        | exception Cancel.Cancelled _ -> ()
      in
      let fibers = List.init (many / 10) (fun _ -> Weft.async tired) in
      Weft.yield ();
      Cancel.cancel token;
      List.iter Weft.await fibers);
  leaves_nothing "cancels, one after the other" ~room (fun () ->
      for _ = 1 to many do
        let token = Cancel.create () in
        let (), () =
          Weft.par
            (fun () ->
              try ignore (Cancel.within token (fun () -> Chan.recv empty)) with Cancel.Cancelled _ -> ())
            (fun () -> Cancel.cancel token)
        in
        ()
      done)

let tests =
  [
    case "waits end in time" times;
    case "a select knows its own time-out" time_of_another;
    case "a waiter that is cancelled is passed over" out_of_the_line;
    case "a waiter that is cancelled already does not wait" cancelled_before;
    case "a scope cancels those that wait" cancelled_with_a_scope;
    case "a cancelled receiver has the message, or the sender keeps it" handed_over_or_not;
    case "what was sent arrives once, whoever gives up" giving_up_at_random;
    case "those that have given up leave nothing behind" nothing_is_left;
  ]
