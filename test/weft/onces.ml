open Support
module Once = Weft.Once
module Pool = Weft.Pool

let computed_once () =
  in_each_size @@ fun () ->
  for n = 1 to 60 do
    let times = Atomic.make 0 in
    let o =
      Once.make (fun () ->
          if n land 1 = 0 then Weft.yield ();
          Atomic.fetch_and_add times 1 + n)
    in
    Alcotest.(check bool) "not yet" false (Once.is_done o);
    let values = Weft.all (List.init n (fun _ () -> Once.get o)) in
    List.iter (check_int "value" n) values;
    check_int "times" 1 (Atomic.get times);
    Alcotest.(check bool) "done" true (Once.is_done o);
    check_int "value" n (Once.get o)
  done

let others_wait_suspended () =
  (* On one domain, the computation goes on only if the fibers that wait do not block the thread. *)
  Weft.run ~domains:1 @@ fun () ->
  let ready = Weft.Ivar.create () in
  let o = Once.make (fun () -> Weft.Ivar.read ready) in
  let askers = List.init 10 (fun _ -> Weft.async (fun () -> Once.get o)) in
  for _ = 1 to 20 do
    Weft.yield ()
  done;
  Alcotest.(check bool) "running" false (Once.is_done o);
  Weft.Ivar.fill ready 3;
  List.iter (fun p -> check_int "value" 3 (Weft.await p)) askers

let[@inline never] fails () = raise (Planned 1)

let exceptions_are_remembered () =
  let before = Printexc.backtrace_status () in
  Printexc.record_backtrace true;
  Fun.protect ~finally:(fun () -> Printexc.record_backtrace before) @@ fun () ->
  in_each_size @@ fun () ->
  let times = Atomic.make 0 in
  let o =
    Once.make (fun () ->
        Atomic.incr times;
        Weft.yield ();
        fails ())
  in
  let ask () =
    match Once.get o with
    | () -> Alcotest.fail "no exception"
    | exception Planned 1 ->
        check "it does not name its origin" (Testing.Text.contains "Onces.fails" (Printexc.get_backtrace ()))
  in
  ignore (Weft.all (List.init 10 (fun _ -> ask)));
  ask ();
  check_int "times" 1 (Atomic.get times);
  Alcotest.(check bool) "done" true (Once.is_done o)

let reentrant () =
  let ask_itself () =
    let rec o = lazy (Once.make (fun () -> Once.get (Lazy.force o) + 1)) in
    let o = Lazy.force o in
    raises_invalid "from its own computation" "Weft.Once.get: " (fun () -> Once.get o);
    raises_invalid "which failed for good" "Weft.Once.get: " (fun () -> Once.get o)
  in
  ask_itself ();
  in_each_size ask_itself

let two_domains () =
  let rounds = if deep < 1_000_000 then 3_000 else 20_000 in
  let times = Array.init rounds (fun _ -> Atomic.make 0) and turn = Atomic.make (-1) in
  let onces = Array.map (fun n -> Once.make (fun () -> Atomic.fetch_and_add n 1)) times in
  let get_all before =
    Array.iteri
      (fun round o ->
        before round;
        check_int "value" 0 (Once.get o))
      onces
  in
  let other = Domain.spawn (fun () -> get_all (Atomic.set turn)) in
  get_all (fun round ->
      while Atomic.get turn < round do
        Domain.cpu_relax ()
      done);
  Domain.join other;
  Array.iter (fun n -> check_int "times" 1 (Atomic.get n)) times

let everybody () =
  on_each_size @@ fun pool ->
  let times = Atomic.make 0 in
  let o =
    Once.make (fun () ->
        spin 1_000_000;
        Atomic.fetch_and_add times 1)
  in
  let get () = check_int "value" 0 (Once.get o) in
  let threads = List.init 2 (fun _ -> Thread.create get ()) and domain = Domain.spawn get in
  ignore (Pool.run pool (fun () -> Weft.all (List.init 3 (fun _ -> get))));
  List.iter Thread.join threads;
  Domain.join domain;
  check_int "times" 1 (Atomic.get times)

(* The fiber that computes is ended with its pool: the next one computes. *)
let computed_anew () =
  in_each_size @@ fun () ->
  let never = Weft.Ivar.create () and times = Atomic.make 0 in
  let o =
    Once.make (fun () ->
        if Atomic.fetch_and_add times 1 = 0 then Weft.Ivar.read never;
        Atomic.get times)
  in
  let others = ref [] in
  waits_and_is_ended
    ~then_:(fun () ->
      wait_until "somebody computes" (fun () -> Atomic.get times = 1);
      others := List.init 5 (fun _ -> Weft.async (fun () -> Once.get o));
      Weft.yield ())
    (fun () -> ignore (Once.get o));
  List.iter (fun p -> check_int "value" 2 (Weft.await p)) !others;
  check_int "and then not again" 2 (Once.get o)

let function_is_dropped () =
  let[@inline never] make () =
    let block, weak = mortal () in
    (Once.make (fun () -> Array.length block), weak)
  in
  let o, weak = make () in
  check_int "value" 1000 (Once.get o);
  check "the function is not dead" (is_dead weak);
  ignore (Sys.opaque_identity o)

let tests =
  [
    case "once: computed once, whoever asks" computed_once;
    case "once: a fiber that asks meanwhile is suspended" others_wait_suspended;
    case "once: an exception is the outcome for all, with its backtrace" exceptions_are_remembered;
    case "once: its own computation must not ask for it" reentrant;
    case "once: two domains ask at once" two_domains;
    case "once: fibers, threads and domains" everybody;
    case "once: if who computes is ended, another computes" computed_anew;
    case "once: the function is dropped afterwards" function_is_dropped;
  ]
