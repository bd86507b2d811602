open Support

let apart f =
  let p = Weft.async f in
  yield_until "a task has ended" (fun () -> Weft.Promise.is_settled p);
  Weft.await p

let in_line n f = List.init n (fun i -> start_waiting (fun () -> f i))
let elsewhere f = Thread.join (Thread.create f ())

type shared = { mutable inside : int; mutable count : int }

let shared () = { inside = 0; count = 0 }

let work s i =
  if s.inside <> 0 then Alcotest.fail "not alone";
  s.inside <- 1;
  let before = s.count in
  if i land 3 = 0 then Weft.yield () else spin (i land 31);
  s.count <- before + 1;
  s.inside <- 0

let everywhere pool ~fibers ~threads f =
  let outside = List.init threads (fun i -> Thread.create f (fibers + i))
  and domain = Domain.spawn (fun () -> f (fibers + threads)) in
  Weft.Pool.run pool (fun () -> ignore (Weft.all (List.init fibers (fun i () -> f i))));
  List.iter Thread.join outside;
  Domain.join domain

exception Alarm

let with_alarms pool ~every ~at_least f =
  (* When no thread is in a pool, a handler would run in the middle of whatever the thread does. *)
  let over = Atomic.make false in
  let handler _ = if Weft_scheduler.Signals.computations () > 0 && not (Atomic.get over) then raise Alarm in
  let before = Sys.signal Sys.sigalrm (Signal_handle handler) in
  let timer interval =
    ignore (Unix.setitimer Unix.ITIMER_REAL { it_interval = interval; it_value = interval })
  in
  let alarms = ref 0 in
  (* The last alarm may arrive later than this. *)
  let calm () =
    Atomic.set over true;
    timer 0.;
    Sys.set_signal Sys.sigalrm before
  in
  let rec for_ever () =
    f ();
    Weft.Cancel.check ();
    for_ever ()
  in
  watched (fun () -> Printf.sprintf "%d alarms of %d" !alarms at_least) @@ fun () ->
  Fun.protect ~finally:calm (fun () ->
      timer every;
      while !alarms < at_least do
        match Weft.Pool.run pool for_ever with () -> () | exception Alarm -> incr alarms
      done)
