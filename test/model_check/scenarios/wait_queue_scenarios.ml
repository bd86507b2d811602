let gave_up name = name ^ " gave up"
let was_in name = name ^ " was in"

(* --- limits --- *)

(* One limit, or several, each with its room. The process that makes room runs what was called next, as a
   worker would. *)
type limited = {
  notes : Notes.t;
  ready : (unit -> unit) list Atomic.t;
  mutable at_the_end : unit -> unit;
  mutable wrong : string option;
}

let rec make_ready t f =
  let was = Atomic.get t.ready in
  if not (Atomic.compare_and_set t.ready was (f :: was)) then make_ready t f

let rec run_ready t =
  match Atomic.exchange t.ready [] with
  | [] -> ()
  | fs ->
      List.iter (fun f -> f ()) (List.rev fs);
      run_ready t

type limit = { arena : Limit.t; inside : int Atomic.t }

let limit room = { arena = Limit.make room; inside = Atomic.make 0 }
let arenas limits = List.map (fun l -> l.arena) limits

(* Inside all of [limits], innermost first: a step at the beginning and one at the end, so that other
   processes inside are seen. *)
let section t limits name =
  List.iter
    (fun l -> if Atomic.fetch_and_add l.inside 1 >= Limit.room l.arena then t.wrong <- Some "too many inside")
    limits;
  Notes.add t.notes (was_in name);
  List.iter (fun l -> ignore (Atomic.fetch_and_add l.inside (-1))) limits;
  Limit.leave (arenas limits)

(* The fiber is inside when the processes begin. *)
let holds t l name =
  if not (Limit.enter [ l.arena ] ~again:(fun () -> false)) then t.wrong <- Some "no room at the start";
  Process.spawn name (fun () ->
      section t [ l ] name;
      run_ready t)

(* A fiber that waits to go on; the process that takes [claimed] ends its wait. *)
let heir t l name =
  let claimed = Atomic.make false in
  let goes_on () =
    let mine = not (Atomic.exchange claimed true) in
    if mine then make_ready t (fun () -> section t [ l ] name);
    mine
  in
  match Limit.enter_as_heir l.arena goes_on with
  | None ->
      t.wrong <- Some "an heir found room";
      ignore
  | Some place ->
      fun () ->
        if not (Atomic.exchange claimed true) then begin
          Notes.add t.notes (gave_up name);
          Limit.give_up l.arena place
        end

let canceller cancel = Process.spawn "canceller" cancel

(* Asks for room, now and whenever it is called again. *)
let rec ask t limits name =
  let again () =
    make_ready t (fun () -> ask t limits name);
    true
  in
  if Limit.enter (arenas limits) ~again then section t limits name

(* Arrives at any time, and stays inside until the processes have ended and [before] is done. *)
let takes_for_long t l name ~before =
  let rec comes () =
    let again () =
      make_ready t comes;
      true
    in
    if Limit.enter [ l.arena ] ~again then
      t.at_the_end <-
        (fun () ->
          before ();
          section t [ l ] name)
  in
  Process.spawn name (fun () ->
      comes ();
      run_ready t)

(* A fork: a thief begins it, and its joiner, which is inside, claims it. *)
let fork t l name =
  let claimed = Atomic.make false in
  let claim () = not (Atomic.exchange claimed true) in
  let rec begins () =
    match Limit.enter_if [ l.arena ] ~wanted:claim ~again with
    | Entered -> section t [ l ] name
    | Queued | Unwanted -> ()
  and again () =
    let called = not (Atomic.get claimed) in
    if called then make_ready t begins;
    called
  in
  let joins () =
    let mine = claim () in
    if mine then Notes.add t.notes (was_in name);
    mine
  in
  (begins, joins)

(* A task stands in line: its worker runs what is queued, and a canceller comes. *)
let task_in_line t l name =
  let crew = Crew.make 1 in
  let w = crew.workers.(0) and cancellable = Cancellable.create () in
  let inside =
    Fiber.base (Fiber.make w.deque) ~outer:Fiber.none ~bindings:(Limit.bind l.arena Bindings.empty)
  in
  let j = Job.task (Spawn_context.within inside) (fun () -> Cancellable.run cancellable ignore) in
  ignore (Job.add_waiter j (Cancellable.canceller cancellable j ~ended:ignore) : bool);
  Worker.attach w;
  Worker_loop.execute w (Job.T j);
  Worker.detach w;
  Crew.worker crew 0 "W" Crew.run_own;
  let cancel (c : Job.canceller) = c.cancel (Context.Cancelled "enough") in
  canceller (fun () -> Option.iter cancel (Job.canceller j));
  t.at_the_end <-
    (fun () ->
      Crew.run_rest crew;
      match Promise.peek j with
      | Some (Ok ()) -> Notes.add t.notes (was_in name)
      | Some (Error _) -> Notes.add t.notes (gave_up name)
      | None -> ())

let limited ?(long = false) name ~limits ~who ~may_give_up ~outcomes spawn : Scenario.t =
  let set_up () =
    Section.ignore_all ();
    let t = { notes = Notes.make (); ready = Atomic.make []; at_the_end = ignore; wrong = None } in
    let limits = List.map limit limits in
    spawn t limits;
    fun () ->
      run_ready t;
      t.at_the_end ();
      run_ready t;
      Option.iter (Explore.violate "%s") t.wrong;
      let ending name =
        Notes.the_one t.notes (was_in name :: (if List.mem name may_give_up then [ gave_up name ] else []))
      in
      let verdict = String.concat ", " (List.map ending who) in
      List.iter
        (fun l ->
          if Limit.running l.arena <> 0 then Explore.violate "%s; but there is somebody inside" verdict)
        limits;
      verdict
  in
  { name; long; outcomes; set_up }

let one = function [ l ] -> l | _ -> invalid_arg "one limit"

let limits =
  [
    ( limited "limit: a holder, two heirs, one is cancelled" ~limits:[ 1 ] ~who:[ "H"; "P"; "Q" ]
        ~may_give_up:[ "P" ]
        ~outcomes:[ "H was in, P gave up, Q was in"; "H was in, P was in, Q was in" ]
    @@ fun t limits ->
      let l = one limits in
      holds t l "H";
      let p = heir t l "P" in
      ignore (heir t l "Q" : unit -> unit);
      canceller p );
    ( limited "limit: a holder, two heirs, both are cancelled" ~limits:[ 1 ] ~who:[ "H"; "P"; "Q" ]
        ~may_give_up:[ "P"; "Q" ]
        ~outcomes:
          [
            "H was in, P gave up, Q gave up";
            "H was in, P gave up, Q was in";
            "H was in, P was in, Q gave up";
            "H was in, P was in, Q was in";
          ]
    @@ fun t limits ->
      let l = one limits in
      holds t l "H";
      let p = heir t l "P" in
      let q = heir t l "Q" in
      canceller p;
      Process.spawn "other canceller" q );
    ( limited "limit: a holder, an heir is cancelled, one comes" ~limits:[ 1 ] ~who:[ "H"; "P"; "R" ]
        ~may_give_up:[ "P" ]
        ~outcomes:[ "H was in, P gave up, R was in"; "H was in, P was in, R was in" ]
    @@ fun t limits ->
      let l = one limits in
      holds t l "H";
      canceller (heir t l "P");
      Process.spawn "R" (fun () ->
          ask t limits "R";
          run_ready t) );
    ( limited "limit: two holders, one claims a fork in line, an heir" ~limits:[ 2 ] ~who:[ "K"; "F"; "Q" ]
        ~may_give_up:[] ~outcomes:[ "K was in, F was in, Q was in" ]
    @@ fun t limits ->
      let l = one limits in
      holds t l "K";
      if not (Limit.enter [ l.arena ] ~again:(fun () -> false)) then t.wrong <- Some "no room at the start";
      let steal, join = fork t l "F" in
      steal ();
      ignore (heir t l "Q" : unit -> unit);
      Process.spawn "H" (fun () ->
          ignore (join () : bool);
          Limit.leave [ l.arena ];
          run_ready t) );
    ( limited "two limits: a holder of each, one waits for both, one for the inner" ~limits:[ 1; 1 ]
        ~who:[ "I"; "O"; "P"; "Q" ] ~may_give_up:[]
        ~outcomes:[ "I was in, O was in, P was in, Q was in" ]
    @@ fun t limits ->
      match limits with
      | [ inner; outer ] ->
          holds t inner "I";
          holds t outer "O";
          ask t limits "P";
          ask t [ inner ] "Q"
      | _ -> invalid_arg "two limits" );
    ( limited "two limits: one waits for the inner, and the outer is taken" ~limits:[ 1; 1 ]
        ~who:[ "I"; "P"; "Q"; "R" ] ~may_give_up:[]
        ~outcomes:[ "I was in, P was in, Q was in, R was in" ]
    @@ fun t limits ->
      match limits with
      | [ inner; outer ] ->
          holds t inner "I";
          ask t limits "P";
          ask t [ inner ] "Q";
          let before_r_leaves () =
            run_ready t;
            if Notes.at_most_once t.notes (was_in "Q") = None then t.wrong <- Some "Q waits for R"
          in
          takes_for_long t outer "R" ~before:before_r_leaves
      | _ -> invalid_arg "two limits" );
    ( limited "limit: a fork inside is claimed by its joiner, or by a thief" ~limits:[ 2 ] ~who:[ "F" ]
        ~may_give_up:[] ~outcomes:[ "F was in" ]
    @@ fun t limits ->
      let l = one limits and ended = Atomic.make false in
      if not (Limit.enter [ l.arena ] ~again:(fun () -> false)) then t.wrong <- Some "no room at the start";
      let steal, join = fork t l "F" in
      Process.spawn "T" (fun () ->
          steal ();
          Atomic.set ended true);
      Process.spawn "H" (fun () ->
          if not (join () || Atomic.get ended) then Process.block ();
          Limit.leave [ l.arena ];
          let look () =
            if Limit.running l.arena > 0 then
              t.wrong <- Some "a fiber that has joined all finds somebody inside";
            false
          in
          (* Under the lock: a look without a step could be taken for one at another time. *)
          ignore (Limit.enter_if [ l.arena ] ~wanted:look ~again:(fun () -> false) : Limit.entry)) );
    ( limited "limit: a holder, a task in line is cancelled, an heir" ~limits:[ 1 ] ~who:[ "H"; "J"; "Q" ]
        ~may_give_up:[ "J" ]
        ~outcomes:[ "H was in, J gave up, Q was in"; "H was in, J was in, Q was in" ]
    @@ fun t limits ->
      let l = one limits in
      holds t l "H";
      task_in_line t l "J";
      ignore (heir t l "Q" : unit -> unit) );
  ]

(* --- conditions --- *)

type meeting = { notes : Notes.t; mutex : Fiber_mutex.t; condition : Fiber_condition.t }

(* Waits when the processes begin. *)
let waits crew (m : meeting) name =
  Crew.begun crew 0 (fun () ->
      Fiber_mutex.lock m.mutex;
      let how =
        match Fiber_condition.wait m.condition m.mutex with
        | () -> name ^ " was woken"
        | exception Context.Timeout -> gave_up name
      in
      Fiber_mutex.unlock m.mutex;
      Notes.add m.notes how)

(* [signals]: so many are woken, as long as some wait. *)
let condition ?(long = false) name ~who ~may_give_up ~signals ~outcomes spawn : Scenario.t =
  let set_up () =
    Section.ignore_all ();
    Whole_deque.use true;
    let crew = Crew.make 2 in
    let m = { notes = Notes.make (); mutex = Fiber_mutex.create (); condition = Fiber_condition.create () } in
    spawn crew m;
    fun () ->
      Crew.run_rest crew;
      let did name what = Notes.at_most_once m.notes (name ^ what) <> None in
      let woken = ref 0 and waiting = ref 0 in
      let ending name =
        if did name " was woken" then begin
          incr woken;
          name ^ " was woken"
        end
        else if List.mem name may_give_up && did name " gave up" then gave_up name
        else begin
          incr waiting;
          name ^ " waits"
        end
      in
      let verdict = String.concat ", " (List.map ending who) in
      if not (Fiber_mutex.try_lock m.mutex) then Explore.violate "%s; but the mutex is not free" verdict;
      if !waiting > 0 && !woken < signals then Explore.violate "%s" verdict;
      verdict
  in
  { name; long; outcomes; set_up }

let conditions =
  let p_q = [ "P"; "Q" ] in
  [
    ( condition "condition: two wait, one is stopped, a signal" ~who:p_q ~may_give_up:[ "P" ] ~signals:1
        ~outcomes:[ "P gave up, Q was woken"; "P was woken, Q waits" ]
    @@ fun crew m ->
      let p = waits crew m "P" in
      ignore (waits crew m "Q");
      Process.spawn "S" (fun () -> Fiber_condition.signal m.condition);
      Crew.worker crew 0 "W" Crew.run_own;
      Crew.stopper p Context.Timeout );
    ( condition "condition: two wait, one is stopped, a broadcast" ~who:p_q ~may_give_up:[ "P" ] ~signals:2
        ~outcomes:[ "P gave up, Q was woken"; "P was woken, Q was woken" ]
    @@ fun crew m ->
      let p = waits crew m "P" in
      ignore (waits crew m "Q");
      Process.spawn "S" (fun () -> Fiber_condition.broadcast m.condition);
      Crew.worker crew 0 "W" Crew.run_own;
      Crew.stopper p Context.Timeout );
    ( condition "condition: two wait, one is stopped, two signals" ~long:true ~who:p_q ~may_give_up:[ "P" ]
        ~signals:2
        ~outcomes:[ "P gave up, Q was woken"; "P was woken, Q was woken" ]
    @@ fun crew m ->
      let p = waits crew m "P" in
      ignore (waits crew m "Q");
      Process.spawn "S" (fun () -> Fiber_condition.signal m.condition);
      Process.spawn "T" (fun () -> Fiber_condition.signal m.condition);
      Crew.stopper p Context.Timeout );
  ]

(* --- locks for many readers --- *)

type shared = {
  notes : Notes.t;
  lock : Rwlock.t;
  readers : int Atomic.t;
  writing : bool Atomic.t;
  mutable wrong : string option;
}

let read (t : shared) name =
  ignore (Atomic.fetch_and_add t.readers 1);
  if Atomic.get t.writing then t.wrong <- Some "a reader beside a writer";
  Notes.add t.notes (was_in name);
  ignore (Atomic.fetch_and_add t.readers (-1));
  Rwlock.read_unlock t.lock

let write (t : shared) name =
  if Atomic.exchange t.writing true || Atomic.get t.readers > 0 then t.wrong <- Some "a writer is not alone";
  Notes.add t.notes (was_in name);
  Atomic.set t.writing false;
  Rwlock.write_unlock t.lock

let reads t name =
  match Rwlock.read_lock t.lock with
  | () -> read t name
  | exception Context.Timeout -> Notes.add t.notes (gave_up name)

let writes t name =
  match Rwlock.write_lock t.lock with
  | () -> write t name
  | exception Context.Timeout -> Notes.add t.notes (gave_up name)

let rwlock ?(long = false) name ~who ~may_give_up ~outcomes spawn : Scenario.t =
  let set_up () =
    Section.ignore_all ();
    Whole_deque.use true;
    let crew = Crew.make 2 in
    let t =
      {
        notes = Notes.make ();
        lock = Rwlock.create ();
        readers = Atomic.make 0;
        writing = Atomic.make false;
        wrong = None;
      }
    in
    spawn crew t;
    fun () ->
      Crew.run_rest crew;
      Option.iter (Explore.violate "%s") t.wrong;
      let ending name =
        Notes.the_one t.notes (was_in name :: (if List.mem name may_give_up then [ gave_up name ] else []))
      in
      let verdict = String.concat ", " (List.map ending who) in
      if not (Rwlock.try_write_lock t.lock) then Explore.violate "%s; but it is not free" verdict;
      verdict
  in
  { name; long; outcomes; set_up }

let rwlocks =
  [
    ( rwlock "rwlock: a reader, a writer waits and is stopped, a reader waits" ~who:[ "H"; "W"; "R" ]
        ~may_give_up:[ "W" ]
        ~outcomes:[ "H was in, W gave up, R was in"; "H was in, W was in, R was in" ]
    @@ fun crew t ->
      Rwlock.read_lock t.lock;
      Process.spawn "H" (fun () -> read t "H");
      let w = Crew.begun crew 0 (fun () -> writes t "W") in
      ignore (Crew.begun crew 0 (fun () -> reads t "R"));
      Crew.worker crew 0 "worker" Crew.run_own;
      Crew.stopper w Context.Timeout );
    ( rwlock "rwlock: a reader, a writer waits, one is stopped behind it" ~who:[ "H"; "W"; "R" ]
        ~may_give_up:[ "R" ]
        ~outcomes:[ "H was in, W was in, R gave up"; "H was in, W was in, R was in" ]
    @@ fun crew t ->
      Rwlock.read_lock t.lock;
      Process.spawn "H" (fun () -> read t "H");
      ignore (Crew.begun crew 0 (fun () -> writes t "W"));
      let r = Crew.begun crew 0 (fun () -> reads t "R") in
      Crew.worker crew 0 "worker" Crew.run_own;
      Crew.stopper r Context.Timeout );
    ( rwlock "rwlock: a writer waits and is stopped, a reader comes" ~long:true ~who:[ "H"; "W"; "R" ]
        ~may_give_up:[ "W" ]
        ~outcomes:[ "H was in, W gave up, R was in"; "H was in, W was in, R was in" ]
    @@ fun crew t ->
      Rwlock.read_lock t.lock;
      Process.spawn "H" (fun () -> read t "H");
      let w = Crew.begun crew 0 (fun () -> writes t "W") in
      Crew.worker crew 0 "worker" Crew.run_own;
      Process.spawn "R" (fun () -> reads t "R");
      Crew.stopper w Context.Timeout );
  ]
