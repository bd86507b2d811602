type channel = { notes : Notes.t; channel : string Chan.t }

(* --- senders and receivers --- *)

let send ?timeout c m =
  Notes.add c.notes
    (match Chan.send ?timeout c.channel m with
    | () -> m ^ " was sent"
    | exception Chan.Closed -> m ^ " came too late"
    | exception Context.Timeout -> m ^ " was given up")

let recv ?timeout c name =
  Notes.add c.notes
    (match Chan.recv ?timeout c.channel with
    | m -> name ^ " got " ^ m
    | exception Chan.Closed -> name ^ " was told"
    | exception Context.Timeout -> name ^ " gave up")

(* A stopped fiber ends in the same way as one whose time is up. *)
let stopper context = Crew.stopper context Context.Timeout

(* Threads outside of any pool. A thread that waits [soon] may give up at any time, unless somebody serves
   it before. *)
let soon = 1e-9
let sender ?timeout c m = Process.spawn ("S" ^ m) (fun () -> send ?timeout c m)
let receiver ?timeout c name = Process.spawn name (fun () -> recv ?timeout c name)
let closer c = Process.spawn "closer" (fun () -> Chan.close c.channel)

(* --- judging --- *)

(* The one of [ends] that happened to [who]. *)
let ending c who ends =
  match List.filter (fun how -> Notes.at_most_once c.notes (who ^ " " ^ how) <> None) ends with
  | [] -> None
  | [ how ] -> Some how
  | several -> Explore.violate "%s %s" who (String.concat " and " several)

(* Takes out the messages that the channel holds. *)
let rec drain (ring : _ Ring.t) =
  match Ring.first ring with
  | None -> []
  | Some m ->
      Ring.drop ring;
      m :: drain ring

let judge c ~stopped ~messages ~receivers =
  let channel = Chan.Private.to_channel c.channel in
  let in_line = Wait_queue.length channel.senders and waiting = Wait_queue.length channel.receivers in
  let left = drain channel.ring in
  let sending m = ending c m [ "was sent"; "came too late"; "was given up" ] in
  let receiving name = ending c name (List.map (( ^ ) "got ") messages @ [ "was told"; "gave up" ]) in
  let fate m =
    let takers = List.filter (fun name -> receiving name = Some ("got " ^ m)) receivers in
    let places =
      List.map (( ^ ) "to ") takers @ List.filter_map (fun l -> if l = m then Some "left" else None) left
    in
    match (sending m, places) with
    | Some "was sent", [ place ] -> m ^ " " ^ place
    | Some "was sent", [] -> Explore.violate "%s is lost" m
    | Some how, [] -> m ^ " " ^ how
    | None, [] -> m ^ " waits"
    | how, places ->
        Explore.violate "%s %s, but is %s" m (Option.value how ~default:"waits")
          (String.concat " and " places)
  in
  let fates = List.map fate messages in
  let others =
    List.filter_map
      (fun name ->
        match receiving name with
        | Some (("was told" | "gave up") as how) -> Some (name ^ " " ^ how)
        | Some _ -> None
        | None -> Some (name ^ " waits"))
      receivers
  in
  let count who waits = List.length (List.filter (fun name -> waits name = None) who) in
  let verdict = String.concat ", " (fates @ others) in
  let waits =
    List.filter (fun m -> sending m = None) messages
    @ List.filter (fun name -> receiving name = None) receivers
  in
  Option.iter (fun who -> if List.mem who waits then Explore.violate "%s: %s was stopped" verdict who) stopped;
  if in_line <> count messages sending then Explore.violate "%s; but %d senders in line" verdict in_line;
  if waiting <> count receivers receiving then Explore.violate "%s; but %d receivers in line" verdict waiting;
  if waiting > 0 && (in_line > 0 || left <> []) then Explore.violate "%s: receivers wait in vain" verdict;
  if in_line > 0 && List.length left < channel.capacity then
    Explore.violate "%s: senders wait in vain" verdict;
  if channel.closed && in_line + waiting > 0 then Explore.violate "%s: though it is closed" verdict;
  verdict

let scenario ?(long = false) ?(capacity = 0) ?stopped name ~messages ~receivers ~outcomes spawn : Scenario.t =
  let set_up () =
    Section.ignore_all ();
    Whole_deque.use true;
    let crew = Crew.make 1 in
    let c = { notes = Notes.make (); channel = Chan.bounded capacity } in
    spawn crew c;
    fun () ->
      Crew.run_rest crew;
      judge c ~stopped ~messages ~receivers
  in
  { name; long; outcomes; set_up }

(* Fibers that wait already when the processes begin, and the worker that runs them afterwards. *)
let begin_to_recv crew c name = Crew.begun crew 0 (fun () -> recv c name)
let begin_to_send crew c m = Crew.begun crew 0 (fun () -> send c m)
let worker crew = Crew.worker crew 0 "W" Crew.run_own

(* A fiber that arrives while the processes run, and is stopped. *)
let comes crew name f =
  let context = Crew.context crew 0 in
  Crew.worker crew 0 name (fun w ->
      Crew.run_in w context f;
      Crew.run_own w);
  stopper context

let a = [ "a" ]
and a_b = [ "a"; "b" ]
and p = [ "P" ]
and p_q = [ "P"; "Q" ]

let two_senders crew c =
  let first = begin_to_recv crew c "P" in
  ignore (begin_to_recv crew c "Q");
  worker crew;
  stopper first;
  sender c "a";
  sender c "b"

let two_receivers crew c =
  let first = begin_to_send crew c "a" in
  ignore (begin_to_send crew c "b");
  worker crew;
  stopper first;
  receiver c "P";
  receiver c "Q"

let of_stopped_receivers =
  [
    scenario "two receivers wait, one is stopped, two senders" ~stopped:"P" ~messages:a_b ~receivers:p_q
      ~outcomes:
        [ "a to P, b to Q"; "a to Q, b to P"; "a to Q, b waits, P gave up"; "a waits, b to Q, P gave up" ]
      two_senders;
    scenario "two receivers wait, one is stopped, two senders, room for one" ~stopped:"P" ~capacity:1
      ~messages:a_b ~receivers:p_q
      ~outcomes:
        [ "a left, b to Q, P gave up"; "a to P, b to Q"; "a to Q, b left, P gave up"; "a to Q, b to P" ]
      two_senders;
    scenario "two receivers wait, one is stopped, two senders, unbounded" ~stopped:"P" ~capacity:max_int
      ~messages:a_b ~receivers:p_q
      ~outcomes:
        [ "a left, b to Q, P gave up"; "a to P, b to Q"; "a to Q, b left, P gave up"; "a to Q, b to P" ]
      two_senders;
    ( scenario "a receiver comes and is stopped, a sender" ~stopped:"P" ~messages:a ~receivers:p
        ~outcomes:[ "a to P"; "a waits, P gave up" ]
    @@ fun crew c ->
      comes crew "P" (fun () -> recv c "P");
      sender c "a" );
    ( scenario "a receiver comes and is stopped, a sender, room for one" ~stopped:"P" ~capacity:1 ~messages:a
        ~receivers:p ~outcomes:[ "a left, P gave up"; "a to P" ]
    @@ fun crew c ->
      comes crew "P" (fun () -> recv c "P");
      sender c "a" );
    ( scenario "a receiver comes and is stopped, another waits, a sender" ~stopped:"P" ~messages:a
        ~receivers:p_q ~outcomes:[ "a to Q, P gave up" ]
    @@ fun crew c ->
      ignore (begin_to_recv crew c "Q");
      comes crew "P" (fun () -> recv c "P");
      sender c "a" );
    ( scenario "two receivers wait, one is stopped, a closer" ~stopped:"P" ~messages:[] ~receivers:p_q
        ~outcomes:[ "P gave up, Q was told"; "P was told, Q was told" ]
    @@ fun crew c ->
      let first = begin_to_recv crew c "P" in
      ignore (begin_to_recv crew c "Q");
      worker crew;
      stopper first;
      closer c );
    ( scenario "a receiver waits and is stopped, a sender, a closer, room for one" ~stopped:"P" ~capacity:1
        ~messages:a ~receivers:p
        ~outcomes:
          [ "a came too late, P gave up"; "a came too late, P was told"; "a left, P gave up"; "a to P" ]
    @@ fun crew c ->
      let first = begin_to_recv crew c "P" in
      worker crew;
      stopper first;
      sender c "a";
      closer c );
  ]

let of_stopped_senders =
  [
    scenario "two senders wait, one is stopped, two receivers" ~stopped:"a" ~messages:a_b ~receivers:p_q
      ~outcomes:
        [
          "a to P, b to Q";
          "a to Q, b to P";
          "a was given up, b to P, Q waits";
          "a was given up, b to Q, P waits";
        ]
      two_receivers;
    ( scenario "two senders wait, one is stopped, two receivers, room for one" ~stopped:"a" ~capacity:1
        ~messages:[ "first"; "a"; "b" ] ~receivers:p_q
        ~outcomes:
          [
            "first to P, a to Q, b left";
            "first to P, a was given up, b to Q";
            "first to Q, a to P, b left";
            "first to Q, a was given up, b to P";
          ]
    @@ fun crew c ->
      send c "first";
      two_receivers crew c );
    ( scenario "a sender comes and is stopped, a receiver" ~stopped:"a" ~messages:a ~receivers:p
        ~outcomes:[ "a to P"; "a was given up, P waits" ]
    @@ fun crew c ->
      comes crew "Sa" (fun () -> send c "a");
      receiver c "P" );
    ( scenario "a sender comes and is stopped, another waits, a receiver" ~stopped:"a" ~messages:a_b
        ~receivers:p ~outcomes:[ "a was given up, b to P" ]
    @@ fun crew c ->
      ignore (begin_to_send crew c "b");
      comes crew "Sa" (fun () -> send c "a");
      receiver c "P" );
    ( scenario "a sender waits and is stopped, a receiver, a closer" ~stopped:"a" ~messages:a ~receivers:p
        ~outcomes:[ "a came too late, P was told"; "a to P"; "a was given up, P was told" ]
    @@ fun crew c ->
      let first = begin_to_send crew c "a" in
      worker crew;
      stopper first;
      receiver c "P";
      closer c );
  ]

let of_threads =
  [
    ( scenario "a sender, a receiver that gives up" ~stopped:"P" ~messages:a ~receivers:p
        ~outcomes:[ "a to P"; "a waits, P gave up" ]
    @@ fun _ c ->
      sender c "a";
      receiver ~timeout:soon c "P" );
    ( scenario "a sender that gives up, a receiver" ~stopped:"a" ~messages:a ~receivers:p
        ~outcomes:[ "a to P"; "a was given up, P waits" ]
    @@ fun _ c ->
      sender ~timeout:soon c "a";
      receiver c "P" );
    ( scenario "two senders, one gives up, a receiver, room for one" ~stopped:"b" ~capacity:1 ~messages:a_b
        ~receivers:p
        ~outcomes:[ "a left, b to P"; "a to P, b left"; "a to P, b was given up" ]
    @@ fun _ c ->
      sender c "a";
      sender ~timeout:soon c "b";
      receiver c "P" );
    ( scenario "a sender, two receivers, one gives up, room for one" ~stopped:"P" ~capacity:1 ~messages:a
        ~receivers:p_q
        ~outcomes:[ "a to P, Q waits"; "a to Q, P gave up" ]
    @@ fun _ c ->
      sender c "a";
      receiver ~timeout:soon c "P";
      receiver c "Q" );
    ( scenario "a sender, two receivers, one gives up" ~long:true ~stopped:"P" ~messages:a ~receivers:p_q
        ~outcomes:[ "a to P, Q waits"; "a to Q, P gave up" ]
    @@ fun _ c ->
      sender c "a";
      receiver ~timeout:soon c "P";
      receiver c "Q" );
    ( scenario "a sender, a receiver that gives up, a closer, room for one" ~stopped:"P" ~capacity:1
        ~messages:a ~receivers:p
        ~outcomes:
          [ "a came too late, P gave up"; "a came too late, P was told"; "a left, P gave up"; "a to P" ]
    @@ fun _ c ->
      sender c "a";
      receiver ~timeout:soon c "P";
      closer c );
  ]

let all = of_stopped_receivers @ of_stopped_senders @ of_threads
