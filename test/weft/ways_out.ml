(* Every structured construct is left in every way: nothing that it has started goes on, and no failure is
   lost. *)

open Support
module Cancel = Weft.Cancel
module Limit = Weft.Limit
module Scope = Weft.Scope

type _ Effect.t += Asks : unit Effect.t

let sizes = [ 1; 2; 8 ]

(* --- what is left --- *)

(* Each calls its argument with numbers from 0 to 3 in parallel, and starts nothing else. *)
let pieces = 4
let all work = ignore (Weft.all (List.init pieces (fun i () -> work i)))
let pair work i = ignore (Weft.par (fun () -> work i) (fun () -> work (i + 1)))

let producer () =
  let next = ref 0 in
  fun () ->
    if !next = pieces then None
    else begin
      incr next;
      Some (!next - 1)
    end

let pipeline stage work = Weft.pipeline ~tokens:3 (producer ()) (stage work)

let settled work =
  let tell = function Ok () -> () | Error (exn, backtrace) -> Printexc.raise_with_backtrace exn backtrace in
  List.iter tell (Weft.all_settled (List.init pieces (fun i () -> work i)))

let search find work =
  let body i =
    work i;
    None
  in
  ignore (find ~start:0 ~finish:(pieces - 1) ~body () : unit option)

let array = Array.init pieces Fun.id
let around f work = f (fun () -> all work)

let in_scope ?on_failure work =
  Scope.run ?on_failure (fun s ->
      for i = 0 to pieces - 1 do
        ignore (Scope.async s (fun () -> work i) : unit Weft.promise)
      done)

let constructs =
  [
    ("par", fun work -> ignore (Weft.par (fun () -> pair work 0) (fun () -> pair work 2)));
    ("par3", fun work -> ignore (Weft.par3 (fun () -> pair work 0) (fun () -> work 2) (fun () -> work 3)));
    ( "par4",
      fun work ->
        ignore (Weft.par4 (fun () -> work 0) (fun () -> work 1) (fun () -> work 2) (fun () -> work 3)) );
    ("all", all);
    ("all, settled", settled);
    ("a loop", fun work -> Weft.parallel_for ~chunk_size:1 ~start:0 ~finish:(pieces - 1) ~body:work ());
    ( "a reduction",
      fun work -> Weft.parallel_for_reduce ~start:0 ~finish:(pieces - 1) ~body:work (fun () () -> ()) () );
    ("a search", search (Weft.parallel_find ~chunk_size:1));
    ("a search of the first", search (Weft.parallel_find_first ~chunk_size:1));
    ("a map of an array", fun work -> ignore (Weft.Array.map work array : unit array));
    ( "a scan",
      fun work ->
        let combine i j =
          work j;
          i
        in
        ignore (Weft.Array.scan_exclusive combine 0 (Array.append array [| 0 |]) : int array) );
    ("a list", fun work -> Weft.List.iter work (Array.to_list array));
    ("a sequence", fun work -> Weft.Seq.iter work (Weft.Seq.of_range 0 (pieces - 1)));
    ( "a map of floats",
      fun work ->
        ignore
          (Weft.Floatarray.init pieces (fun i ->
               work i;
               0.)
            : floatarray) );
    ( "a bigarray",
      fun work ->
        ignore
          (Weft.Bigarray.Array1.init Int C_layout pieces (fun i ->
               work i;
               i)
            : _ Bigarray.Array1.t) );
    ("a scope", fun work -> in_scope work);
    ("a scope that keeps going", fun work -> in_scope ~on_failure:Keep_going work);
    ( "a scope whose tasks start tasks",
      fun work ->
        Scope.run (fun s ->
            let rec start i =
              if i < pieces then
                ignore
                  (Scope.async s (fun () ->
                       start (i + 1);
                       work i)
                    : unit Weft.promise)
            in
            start 0) );
    ( "a scope in a scope",
      fun work -> Scope.run (fun s -> Weft.await (Scope.async s (fun () -> in_scope work))) );
    ("a limit of 1", fun work -> Limit.run (Limit.create 1) (fun () -> all work));
    ( "calls of a limit of 1",
      fun work ->
        let l = Limit.create 1 in
        all (fun i -> Limit.run l (fun () -> work i)) );
    ( "calls of a limit in a limit",
      fun work ->
        let outer = Limit.create 2 and inner = Limit.create 1 in
        all (fun i -> Limit.run outer (fun () -> Limit.run inner (fun () -> work i))) );
    ("a pipeline", pipeline Weft.Stage.parallel);
    ("a pipeline in order", pipeline Weft.Stage.in_order);
    ("a pipeline, one at a time", pipeline Weft.Stage.serial);
    ( "a pipeline to a list",
      fun work ->
        ignore (Weft.pipeline_to_list ~tokens:3 (producer ()) (Weft.Stage.parallel work) : unit list) );
    ("a time-out that does not come", around (Cancel.with_timeout 3600.));
    ("a token that nobody cancels", around (Cancel.within (Cancel.create ())));
    ("a binding", around (Weft.Local.Task_local.with_value (Weft.Local.Task_local.create ~default:0) 1));
    ("a mutex", around (Weft.Mutex.protect (Weft.Mutex.create ())));
    ("a semaphore", around (Weft.Semaphore.protect (Weft.Semaphore.create 1)));
    ("a reader", around (Weft.Rwlock.read (Weft.Rwlock.create ())));
    ("a writer", around (Weft.Rwlock.write (Weft.Rwlock.create ())));
    ("a value computed once", around (fun f -> Weft.Once.get (Weft.Once.make f)));
    ("run", around (fun f -> Weft.run f));
    ( "a pool",
      fun work -> Weft.Pool.with_pool ~domains:1 (fun other -> Weft.Pool.run other (fun () -> all work)) );
  ]

(* --- who is inside --- *)

type ledger = { begun : int Atomic.t; ended : int Atomic.t; failed : int Atomic.t }

let ledger () = { begun = Atomic.make 0; ended = Atomic.make 0; failed = Atomic.make 0 }

let visit l f =
  Atomic.incr l.begun;
  match f () with
  | () -> Atomic.incr l.ended
  | exception exn ->
      Atomic.incr l.ended;
      (match exn with Cancel.Cancelled _ -> () | _ -> Atomic.incr l.failed);
      Printexc.raise_with_backtrace exn (Printexc.get_raw_backtrace ())

let nobody_inside what l =
  let ended = Atomic.get l.ended in
  check_int (what ^ ": all that have begun have ended") (Atomic.get l.begun) ended

(* --- ways out --- *)

let give_way n =
  for _ = 1 to n do
    Weft.yield ()
  done

let rec for_ever () =
  Weft.yield ();
  for_ever ()

let expect what l is_expected f =
  let outcome = match f () with () -> None | exception exn -> Some exn in
  nobody_inside what l;
  if not (is_expected outcome) then
    Alcotest.failf "%s: %s" what (Option.fold ~none:"has returned" ~some:Printexc.to_string outcome)

let returns what construct =
  let l = ledger () in
  expect what l (( = ) None) (fun () -> construct (fun _ -> visit l (fun () -> give_way 3)));
  check_int (what ^ ": all ran") pieces (Atomic.get l.begun)

let fails what construct =
  let l = ledger () in
  let work i =
    visit l (fun () ->
        give_way 2;
        if i = 1 then raise (Planned 1);
        give_way 3)
  in
  expect what l (( = ) (Some (Planned 1))) (fun () -> construct work)

(* The caller's code fails, around the construct that has ended, and inside of the function it is given. *)
let fails_late what construct =
  let l = ledger () in
  let work i =
    visit l (fun () ->
        Fun.protect
          ~finally:(fun () -> Cancel.shield (fun () -> give_way 2))
          (fun () -> if i = 3 then raise (Planned 3)))
  in
  expect what l (( = ) (Some (Planned 3))) (fun () -> construct work)

(* Whichever piece comes first calls [f]; no piece ends by itself, so the others may wait for that one. *)
let first_calls f =
  let called = Atomic.make false in
  fun () ->
    if not (Atomic.exchange called true) then f ();
    for_ever ()

let is_cancelled what construct =
  let l = ledger () and token = Cancel.create () in
  let piece = first_calls (fun () -> Cancel.cancel token) in
  let work _ = visit l piece in
  expect what l
    (function Some (Cancel.Cancelled "cancelled") -> true | _ -> false)
    (fun () -> Cancel.within token (fun () -> construct work))

let times_out what construct =
  let l = ledger () in
  expect what l (( = ) (Some Cancel.Timeout)) (fun () ->
      Cancel.with_timeout 0.002 (fun () -> construct (fun _ -> visit l for_ever)))

let performs what construct =
  let l = ledger () in
  let work i =
    visit l (fun () ->
        give_way 1;
        if i = 1 then Effect.perform Asks)
  in
  expect what l (function Some (Effect.Unhandled Asks) -> true | _ -> false) (fun () -> construct work)

(* If the piece runs in the caller's fiber, the handler finds it. *)
let performs_and_is_ended what construct =
  let l = ledger () in
  let work i = visit l (fun () -> if i = 0 then Effect.perform Asks) in
  let effc : type a. a Effect.t -> ((a, unit) Effect.Deep.continuation -> unit) option = function
    | Asks -> Some (fun k -> Effect.Deep.discontinue k Exit)
    | _ -> None
  in
  expect what l
    (function Some (Effect.Unhandled Asks | Exit) -> true | _ -> false)
    (fun () -> Effect.Deep.try_with construct work { effc })

(* The same from outside: a signal's handler raises. *)
let with_break f =
  let before = Sys.signal Sys.sigint (Signal_handle (fun _ -> raise Sys.Break)) in
  Fun.protect f ~finally:(fun () -> Sys.set_signal Sys.sigint before)

let is_ended_by_a_signal run what construct =
  let l = ledger () in
  let piece = first_calls (fun () -> Unix.kill (Unix.getpid ()) Sys.sigint) in
  let work _ = visit l piece in
  expect what l (( = ) (Some Sys.Break)) (fun () -> run (fun () -> construct work));
  check_int (what ^ ": computations") 0 (Weft_scheduler.Signals.computations ())

let ways =
  [
    ("returns", returns);
    ("fails", fails);
    ("fails at its end", fails_late);
    ("is cancelled", is_cancelled);
    ("times out", times_out);
    ("performs an effect that nobody handles", performs);
    ("performs an effect whose handler ends it", performs_and_is_ended);
  ]

let in_sizes f =
  List.iter
    (fun domains -> Weft.Pool.with_pool ~domains (fun pool -> f pool (Printf.sprintf "%d domains" domains)))
    sizes

let each_construct way size =
  List.iter
    (fun (name, construct) ->
      for _ = 1 to Testing.Effort.count ~quick:1 ~usual:10 ~long:20 do
        way (name ^ ", " ^ size) construct
      done)
    constructs

let leaves way () = in_sizes (fun pool size -> Weft.Pool.run pool (fun () -> each_construct way size))

let signals_leave () =
  with_break @@ fun () -> in_sizes (fun pool -> each_construct (is_ended_by_a_signal (Weft.Pool.run pool)))

(* Each is called from outside, so it enters the default pool itself. *)
let signals_leave_outside () =
  with_break @@ fun () -> each_construct (is_ended_by_a_signal (fun f -> f ())) "outside"

let tests =
  List.map (fun (name, way) -> case ("what " ^ name ^ " leaves nothing behind") (leaves way)) ways
  @ case "what a signal's handler ends leaves nothing behind" signals_leave
    :: [
         case "what a signal's handler ends, called from outside, leaves nothing behind" signals_leave_outside;
       ]
