(* Cases of a select that are no channels: of variables, latches, places, semaphores and conditions; and cases
   that are made of cases. *)

open Support
module Cancel = Weft.Cancel
module Condition = Weft.Condition
module Ivar = Weft.Ivar
module Latch = Weft.Latch
module Mutex = Weft.Mutex
module Mvar = Weft.Mvar
module Select = Weft.Select
module Semaphore = Weft.Semaphore

let idle () : int Select.case = Select.recv (Weft.Chan.unbounded ()) Fun.id

(* A structure for each kind of case: what it is waited for by, what serves it, and how it looks when it was
   left as it was. *)
type subject = {
  case : int Select.case;
  serve : unit -> unit;
  untouched : unit -> bool;
  served : unit -> bool;
}

let ivar () =
  let i = Ivar.create () in
  let full () = Ivar.peek i = Some 1 in
  { case = Select.ivar i Fun.id; serve = (fun () -> Ivar.fill i 1); untouched = full; served = full }

let latch () =
  let l = Latch.create 1 in
  let is_open () = Latch.count l = 0 in
  {
    case = Select.latch l (fun () -> 1);
    serve = (fun () -> Latch.count_down l);
    untouched = is_open;
    served = is_open;
  }

let take () =
  let m = Mvar.create () in
  {
    case = Select.take m Fun.id;
    serve = (fun () -> Mvar.put m 1);
    untouched = (fun () -> Mvar.try_take m = Some 1);
    served = (fun () -> Mvar.try_take m = None);
  }

let read () =
  let m = Mvar.create () in
  let full () = Mvar.try_take m = Some 1 in
  { case = Select.read m Fun.id; serve = (fun () -> Mvar.put m 1); untouched = full; served = full }

let put () =
  let m = Mvar.create ~value:0 () in
  {
    case = Select.put m 2 (fun () -> 1);
    serve = (fun () -> check_int "what was there" 0 (Mvar.take m));
    untouched = (fun () -> Mvar.try_take m = None);
    served = (fun () -> Mvar.try_take m = Some 2);
  }

let acquire () =
  let s = Semaphore.create 0 in
  {
    case = Select.acquire s (fun () -> 1);
    serve = (fun () -> Semaphore.release s);
    untouched = (fun () -> Semaphore.available s = 1);
    served = (fun () -> Semaphore.available s = 0 && not (Semaphore.try_acquire s));
  }

let kinds =
  [ ("ivar", ivar); ("latch", latch); ("take", take); ("read", read); ("put", put); ("acquire", acquire) ]

let of_each f = List.iter (fun (what, make) -> f what (make ())) kinds

(* --- each kind --- *)

let at_once () =
  let all () =
    of_each (fun what s ->
        check (what ^ ": not yet") (Select.poll [ s.case ] = None);
        s.serve ();
        check_int what 1 (Select.select [ s.case; idle () ]);
        check (what ^ ": done once") (s.served ()))
  in
  all ();
  in_each_size all

let after_a_wait () =
  in_each_size @@ fun () ->
  of_each (fun what s ->
      let p = start_waiting (fun () -> Select.select [ idle (); s.case ]) in
      s.serve ();
      check_int what 1 (Weft.await p);
      check (what ^ ": done once") (s.served ()))

let between_threads () =
  of_each (fun what s ->
      let got = Atomic.make 0 in
      let thread = Thread.create (fun () -> Atomic.set got (Select.select [ s.case; idle () ])) () in
      s.serve ();
      Thread.join thread;
      check_int what 1 (Atomic.get got);
      check (what ^ ": done once") (s.served ()))

(* All wait in one select; one of them is served, and the others are as if nobody had waited. *)
let only_one () =
  in_each_size @@ fun () ->
  List.iteri
    (fun i _ ->
      let all = List.map (fun (what, make) -> (what, make ())) kinds in
      let p = start_waiting (fun () -> Select.select (List.map (fun (_, s) -> s.case) all)) in
      let _, chosen = List.nth all i in
      chosen.serve ();
      check_int "its result" 1 (Weft.await p);
      List.iteri
        (fun j (what, s) ->
          if i <> j then begin
            s.serve ();
            check (what ^ " is untouched") (s.untouched ())
          end
          else check (what ^ " is done") (s.served ()))
        all)
    kinds

let cancelled () =
  in_each_size @@ fun () ->
  of_each (fun what s ->
      let token = Cancel.create () in
      let p = start_waiting (fun () -> Cancel.within token (fun () -> Select.select [ idle (); s.case ])) in
      Cancel.cancel token;
      (match Weft.await p with
      | _ -> Alcotest.failf "%s: it was not cancelled" what
      | exception Cancel.Cancelled _ -> ());
      check_int (what ^ ": times out") 7 (Select.select [ s.case; Select.timeout 0.001 (fun () -> 7) ]);
      s.serve ();
      check (what ^ ": untouched") (s.untouched ()))

let pool_closed () =
  of_each (fun what s ->
      waits_and_is_ended (fun () -> ignore (Select.select [ s.case; idle () ] : int));
      s.serve ();
      check (what ^ ": untouched") (s.untouched ()))

let failing () =
  of_each (fun what s ->
      s.serve ();
      Alcotest.check_raises what (Planned 3) (fun () ->
          Select.select [ Select.wrap s.case (fun _ -> raise (Planned 3)) ]);
      check (what ^ ": done all the same") (s.served ()))

(* Several selects share units, a place and time-outs: nothing is lost or doubled. *)
let nothing_is_lost () =
  in_each_size @@ fun () ->
  let units = 3 in
  let s = Semaphore.create units and m = Mvar.create () in
  let put = Atomic.make 0 and taken = Atomic.make 0 and inside = Atomic.make 0 in
  let add sum n = ignore (Atomic.fetch_and_add sum n : int) in
  let worker k () =
    let random = Random.State.make [| k |] in
    for i = 1 to tries 150 do
      Select.select
        [
          Select.acquire s (fun () ->
              check "not too many" (Atomic.fetch_and_add inside 1 < units);
              Weft.yield ();
              Atomic.decr inside;
              Semaphore.release s);
          Select.take m (fun n -> add taken n);
          Select.put m i (fun () -> add put i);
          Select.timeout (Random.State.float random 0.0003) ignore;
        ];
      if Random.State.int random 4 = 0 then Weft.yield ()
    done
  in
  ignore (Weft.all (List.init 8 worker) : unit list);
  let rest = match Mvar.try_take m with None -> 0 | Some n -> n in
  check_int "all that was put" (Atomic.get put) (Atomic.get taken + rest);
  check_int "all units" units (Semaphore.available s)

(* --- conditions --- *)

let holds m = not (Mutex.try_lock m)

let conditions () =
  in_each_size @@ fun () ->
  let m = Mutex.create () and c = Condition.create () in
  let signalled = Select.condition c m (fun () -> `Signalled) in
  let never : [ `Signalled | `Message | `Late ] Weft.Chan.t = Weft.Chan.unbounded () in
  let waiting ?(others = []) () =
    start_waiting (fun () ->
        Mutex.lock m;
        let how = Select.select (signalled :: Select.recv never Fun.id :: others) in
        check "the mutex is held" (holds m);
        Mutex.unlock m;
        how)
  in
  let p = waiting () in
  check "it is free meanwhile" (Mutex.try_lock m);
  Mutex.unlock m;
  Condition.signal c;
  check "signalled" (Weft.await p = `Signalled);
  let p = waiting () and q = waiting () in
  Condition.broadcast c;
  check "both" (Weft.await p = `Signalled && Weft.await q = `Signalled);
  let p = waiting () in
  Weft.Chan.send never `Message;
  check "the other case" (Weft.await p = `Message);
  (* A signal for one that has gone is not lost for the next. *)
  let q = waiting () in
  Condition.signal c;
  check "the next" (Weft.await q = `Signalled);
  let late = waiting ~others:[ Select.timeout 0.001 (fun () -> `Late) ] () in
  check "a time-out, with the mutex" (Weft.await late = `Late);
  let other = Condition.create () in
  let several = waiting ~others:[ Select.condition other m (fun () -> `Message); signalled ] () in
  check "one mutex several times" (Mutex.try_lock m);
  Mutex.unlock m;
  Condition.signal other;
  check "the other condition" (Weft.await several = `Message);
  raises_invalid "not held" "Weft.Select.select: " (fun () -> Select.select [ signalled ]);
  raises_invalid "not held" "Weft.Select.poll: " (fun () -> Select.poll [ signalled ]);
  Mutex.protect m (fun () -> check "never at once" (Select.poll [ signalled ] = None))

let cancelled_condition () =
  in_each_size @@ fun () ->
  let m = Mutex.create () and c = Condition.create () and token = Cancel.create () in
  let wait () =
    Mutex.lock m;
    match Cancel.within token (fun () -> Select.select [ idle (); Select.condition c m (fun () -> 1) ]) with
    | _ -> Alcotest.fail "it was not cancelled"
    | exception Cancel.Cancelled _ ->
        check "the mutex is held" (holds m);
        Mutex.unlock m
  in
  let p = start_waiting wait in
  let q = start_waiting (fun () -> Mutex.protect m (fun () -> Condition.wait c m)) in
  Cancel.cancel token;
  Condition.signal c;
  Weft.await p;
  Weft.await q

(* --- cases of cases --- *)

let combined () =
  let i = Ivar.create () in
  let text = Select.wrap (Select.wrap (Select.ivar i succ) string_of_int) (fun s -> s ^ "!") in
  check "not yet" (Select.poll [ text ] = None);
  check "a wrapped time-out"
    (Select.select [ text; Select.wrap (Select.timeout 0. (fun () -> 1)) string_of_int ] = "1");
  let made = ref 0 in
  let guarded =
    Select.guard (fun () ->
        incr made;
        Select.guard (fun () -> text))
  in
  let wrapped = Select.wrap guarded String.length in
  check "made for each select" (Select.poll [ wrapped ] = None && !made = 1);
  in_each_size (fun () ->
      let i = Ivar.create () in
      let p =
        start_waiting (fun () ->
            Select.(select [ wrap (guard (fun () -> ivar i succ)) string_of_int; never ]))
      in
      Ivar.fill i 1;
      Alcotest.(check string) "waited for" "2" (Weft.await p));
  Ivar.fill i 41;
  check_int "done" 3 (Select.select [ wrapped ]);
  Alcotest.check_raises "a guard raises" (Planned 1) (fun () ->
      ignore (Select.select [ Select.always 1; Select.guard (fun () -> raise (Planned 1)) ] : int));
  check_int "always" 5 (Select.select [ Select.never; Select.always 5 ]);
  check "never" (Select.poll [ Select.never ] = None);
  check_int "never, in time" 6 (Select.select [ Select.never; Select.timeout 0.001 (fun () -> 6) ])

let in_order () =
  let full i = Select.ivar i Fun.id in
  let filled v =
    let i = Ivar.create () in
    Ivar.fill i v;
    i
  in
  let a = filled 1 and b = filled 2 in
  for _ = 1 to 50 do
    check_int "the first" 1 (Select.select_in_order [ Select.never; full a; full b ]);
    check "the first" (Select.poll_in_order [ full b; full a ] = Some 2)
  done;
  let empty = Ivar.create () in
  check_int "otherwise" 0 (Select.select_in_order [ full empty; Select.always 0 ]);
  in_each_size @@ fun () ->
  let c = Weft.Chan.unbounded () in
  let p = start_waiting (fun () -> Select.select_in_order [ full empty; Select.recv c Fun.id ]) in
  Weft.Chan.send c 9;
  check_int "who waits takes what comes" 9 (Weft.await p)

(* Made once, they are of any type. *)
let nothing = Select.wrap Select.never Fun.id
let no_elements = Weft.Seq.map Fun.id (Weft.Seq.of_list [])

let covariant () =
  check "of any type" (Select.poll [ nothing; Select.always 1 ] = Some 1);
  check "of any type" (Select.poll [ nothing; Select.always "1" ] = Some "1");
  check "of any type" (Weft.Seq.to_list no_elements = ([] : int list));
  check "of any type" (Weft.Seq.to_list no_elements = ([] : string list))

(* The mutex of a condition cannot be locked again, since the pool is being closed: what another case has won
   goes back. *)
let closed_while_it_locks_again () =
  let won case give =
    let m = Mutex.create () and c = Condition.create () in
    let pool = Weft.Pool.create ~domains:2 () in
    let p =
      Weft.Pool.async pool (fun () ->
          Mutex.lock m;
          Select.select [ Select.condition c m (fun () -> ()); case ])
    in
    fibers_wait pool 1;
    Mutex.lock m;
    give ();
    (* For the mutex, now. *)
    fibers_wait pool 1;
    Weft.Pool.close pool;
    Mutex.unlock m;
    match Weft.await p with () -> Alcotest.fail "its pool was closed" | exception Weft.Pool.Closed _ -> ()
  in
  let ch = Weft.Chan.unbounded () and s = Semaphore.create 0 in
  won (Select.recv ch ignore) (fun () -> Weft.Chan.send ch "a");
  check "the message" (Weft.Chan.recv_poll ch = Some "a");
  won (Select.acquire s ignore) (fun () -> Semaphore.release s);
  check_int "the unit" 1 (Semaphore.available s)

let tests =
  [
    case "types that are covariant" covariant;
    case "cases of all kinds: what can be done at once" at_once;
    case "cases of all kinds: after a wait" after_a_wait;
    case "cases of all kinds: in a thread" between_threads;
    case "cases of all kinds: one is done, the others are untouched" only_one;
    case "cases of all kinds: a select that is cancelled leaves nothing" cancelled;
    case "cases of all kinds: a select whose pool is closed" pool_closed;
    case "cases of all kinds: functions that fail" failing;
    case "units and values: nothing is lost" nothing_is_lost;
    case "conditions: the mutex is held, but not while it waits" conditions;
    case "conditions: a select that is cancelled" cancelled_condition;
    case "conditions: a select whose pool is closed when it has been served" closed_while_it_locks_again;
    case "wrap, guard, always, never" combined;
    case "in order of preference" in_order;
  ]
