open Support

(* Set while a test runs: finalisers that run later, in another test, must not raise. *)
let raising = Atomic.make false
let called = Atomic.make 0
let first_thread = Thread.id (Thread.self ())

(* Those that the watchdog's thread happens to run must not raise, either: it is outside of Weft. *)
let is_elsewhere () = Domain.is_main_domain () && Thread.id (Thread.self ()) <> first_thread

let raise_it () =
  if Atomic.get raising && not (is_elsewhere ()) then begin
    Atomic.incr called;
    raise (Planned 7)
  end

let is_ours exn = exn = Planned 7

let[@inline never] leave_garbage () =
  let r = ref 0 in
  Gc.finalise (fun _ -> raise_it ()) r;
  ignore (Sys.opaque_identity r)

let while_raising f =
  Atomic.set called 0;
  Atomic.set raising true;
  Fun.protect f ~finally:(fun () -> Atomic.set raising false)

let rounds = Testing.Effort.few 5
let lock = Weft.Mutex.create ()
let chan = Weft.Chan.bounded 1

let kinds =
  [
    ("yield", Weft.yield);
    ("par", fun () -> ignore (Weft.par (fun () -> ref 1) (fun () -> ref 2) : int ref * int ref));
    ("async", fun () -> ignore (Weft.await (Weft.async (fun () -> ref 1)) : int ref));
    ( "a loop",
      fun () -> Weft.parallel_for ~start:1 ~finish:20 ~body:(fun i -> ignore (Sys.opaque_identity (ref i))) ()
    );
    ( "a scope",
      fun () -> Weft.Scope.run (fun s -> Weft.Scope.start s (fun () -> ignore (Sys.opaque_identity (ref 1))))
    );
    ("a mutex", fun () -> Weft.Mutex.protect lock (fun () -> ignore (Sys.opaque_identity (ref 1))));
    ( "a channel",
      fun () ->
        ignore (Weft.par (fun () -> Weft.Chan.send chan 1) (fun () -> Weft.Chan.recv chan) : unit * int) );
    ("a time-out", fun () -> Weft.Cancel.with_timeout 3600. Weft.yield);
    ("blocking", fun () -> Weft.blocking ignore);
  ]

(* No call of Weft fails, none is cut off, and each exception is reported. *)
let goes_on (kind, operation) () =
  with_reports ~own:is_ours @@ fun reported ->
  while_raising @@ fun () ->
  in_each_size (fun () ->
      let done_ = Atomic.make 0 in
      let work () =
        for i = 1 to 100 do
          leave_garbage ();
          operation ();
          if i mod 16 = 0 then Gc.minor ();
          Atomic.incr done_
        done
      in
      for _ = 1 to rounds do
        Weft.Scope.run (fun s ->
            for _ = 1 to 4 do
              Weft.Scope.start s work
            done)
      done;
      check_int kind (400 * rounds) (Atomic.get done_);
      wait_until "a finaliser has run" (fun () ->
          Gc.full_major ();
          Atomic.get called > 0));
  Atomic.set raising false;
  check_int "reported" (Atomic.get called) (List.length (reported ()))

let alarm () =
  with_reports ~own:is_ours @@ fun reported ->
  while_raising @@ fun () ->
  in_each_size (fun () ->
      let before = Atomic.get called in
      let alarm = Gc.create_alarm raise_it in
      wait_until "the alarm goes off" (fun () ->
          Gc.full_major ();
          Weft.yield ();
          Atomic.get called > before);
      Gc.delete_alarm alarm);
  Atomic.set raising false;
  check_int "reported" (Atomic.get called) (List.length (reported ()))

let raises_here () =
  leave_garbage ();
  match
    Gc.full_major ();
    Gc.full_major ()
  with
  | () -> Alcotest.fail "it was not raised"
  | exception Planned 7 -> ()

(* Outside of pools as in OCaml without Weft, however a call of Weft has ended. *)
let outside () =
  while_raising @@ fun () ->
  raises_here ();
  Weft.run ~domains:2 ignore;
  raises_here ();
  (try Weft.run ~domains:2 (fun () -> raise (Planned 8)) with Planned 8 -> ());
  raises_here ()

let tests =
  List.map (fun ((name, _) as kind) -> case ("finalisers raise beside " ^ name) (goes_on kind)) kinds
  @ [ case "alarms of the collector raise" alarm; case "finalisers raise outside of pools" outside ]
