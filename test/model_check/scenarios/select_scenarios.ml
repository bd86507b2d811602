type test = { notes : Notes.t; left : string Chan.t; right : string Chan.t }

let note t what = Notes.add t.notes what
let channel = Chan.Private.to_channel

(* Receives from one of the two channels. *)
let choose t name () =
  let from c = Select_cases.recv (channel c) (fun m -> note t (name ^ " got " ^ m)) in
  match Select_cases.choose ~what:"a test" ~in_order:false [ from t.left; from t.right ] with
  | () -> ()
  | exception Context.Timeout -> note t (name ^ " gave up")

(* Sends to the first channel or receives from the second. *)
let trade t name c m d () =
  Select_cases.choose ~what:"a test" ~in_order:false
    [
      Select_cases.send (channel c) m (fun () -> note t (m ^ " was sent"));
      Select_cases.recv (channel d) (fun n -> note t (name ^ " got " ^ n));
    ]

let send t c m () =
  Chan.send c m;
  note t (m ^ " was sent")

let recv t c name () = note t (name ^ " got " ^ Chan.recv c)
let thread name f = Process.spawn name f

let in_lines c =
  let c = channel c in
  Wait_queue.length c.senders + Wait_queue.length c.receivers

(* Each message was sent and received once, or neither. A fiber that has done nothing waits in one queue,
   or, if [nobody_waits], in none: then its select has done the other case. *)
let judge t ~messages ~receivers ~nobody_waits =
  let did what = Notes.at_most_once t.notes what <> None in
  let fate m =
    match (did (m ^ " was sent"), List.filter (fun name -> did (name ^ " got " ^ m)) receivers) with
    | true, [ who ] -> Some (m ^ " to " ^ who)
    | false, [] -> None
    | sent, takers -> Explore.violate "%s was sent: %b, but received by %d" m sent (List.length takers)
  in
  let received name = List.filter (fun m -> did (name ^ " got " ^ m)) messages in
  let gave_up name = did (name ^ " gave up") in
  let inactive =
    List.filter (fun m -> fate m = None) messages
    @ List.filter (fun name -> received name = [] && not (gave_up name)) receivers
  in
  List.iter
    (fun name ->
      if List.length (received name) + Bool.to_int (gave_up name) > 1 then
        Explore.violate "%s ended more than once" name)
    receivers;
  let verdict =
    List.filter_map fate messages
    @ List.filter_map (fun name -> if gave_up name then Some (name ^ " gave up") else None) receivers
    @ if nobody_waits then [] else List.map (fun who -> who ^ " waits") inactive
  in
  let verdict = String.concat ", " verdict in
  let in_line = in_lines t.left + in_lines t.right in
  if in_line <> if nobody_waits then 0 else List.length inactive then
    Explore.violate "%s; but %d in line" verdict in_line;
  verdict

let scenario ?(long = false) ?(nobody_waits = false) name ~messages ~receivers ~outcomes spawn : Scenario.t =
  let set_up () =
    Section.ignore_all ();
    Whole_deque.use true;
    let crew = Crew.make 1 in
    let t = { notes = Notes.make (); left = Chan.bounded 0; right = Chan.bounded 0 } in
    spawn crew t;
    fun () ->
      Crew.run_rest crew;
      judge t ~messages ~receivers ~nobody_waits
  in
  { name; long; outcomes; set_up }

let worker crew = Crew.worker crew 0 "W" Crew.run_own
let stopper context = Crew.stopper context Context.Timeout

let all =
  [
    ( scenario "a select waits, a sender on each side" ~messages:[ "a"; "b" ] ~receivers:[ "P" ]
        ~outcomes:[ "a to P, b waits"; "b to P, a waits" ]
    @@ fun crew t ->
      ignore (Crew.begun crew 0 (choose t "P"));
      worker crew;
      thread "Sa" (send t t.left "a");
      thread "Sb" (send t t.right "b") );
    ( scenario "a select waits and is stopped, a sender on each side" ~messages:[ "a"; "b" ] ~receivers:[ "P" ]
        ~outcomes:[ "P gave up, a waits, b waits"; "a to P, b waits"; "b to P, a waits" ]
    @@ fun crew t ->
      let p = Crew.begun crew 0 (choose t "P") in
      worker crew;
      stopper p;
      thread "Sa" (send t t.left "a");
      thread "Sb" (send t t.right "b") );
    ( scenario "a select waits and is stopped, a receiver waits, a sender" ~messages:[ "a" ]
        ~receivers:[ "P"; "Q" ]
        ~outcomes:[ "a to P, Q waits"; "a to Q, P gave up" ]
    @@ fun crew t ->
      let p = Crew.begun crew 0 (choose t "P") in
      ignore (Crew.begun crew 0 (recv t t.left "Q"));
      worker crew;
      stopper p;
      thread "Sa" (send t t.left "a") );
    ( scenario "a select comes, a sender on each side" ~long:true ~messages:[ "a"; "b" ] ~receivers:[ "P" ]
        ~outcomes:[ "a to P, b waits"; "b to P, a waits" ]
    @@ fun _ t ->
      thread "P" (choose t "P");
      thread "Sa" (send t t.left "a");
      thread "Sb" (send t t.right "b") );
    ( scenario "two selects that could serve each other" ~nobody_waits:true ~messages:[ "a"; "b" ]
        ~receivers:[ "P"; "Q" ] ~outcomes:[ "a to Q"; "b to P" ]
    @@ fun _ t ->
      thread "P" (trade t "P" t.left "a" t.right);
      thread "Q" (trade t "Q" t.right "b" t.left) );
  ]
