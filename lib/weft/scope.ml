module Lock = Weft_support.Lock

type policy = Cancel_rest | Keep_going
type failure = { index : int; exn : exn; backtrace : Printexc.raw_backtrace }

type t = {
  group : Group.t;
  policy : policy;
  lock : Lock.t; (* guards what follows *)
  mutable started : int; (* tasks so far; the body is number 0 *)
  mutable running : int; (* tasks and body that have not ended; 0: closed *)
  mutable failures : failure list; (* youngest first *)
  ended : unit Job.t; (* when nothing runs any more *)
  mutable cut_short : exn option; (* what has ended the wait for that *)
  strands : Strand.gathering; (* of the tasks that have ended *)
}

let make policy =
  {
    group = Group.make ();
    policy;
    lock = Lock.create ();
    started = 0;
    running = 1;
    failures = [];
    ended = Job.pending ();
    cut_short = None;
    strands = Strand.gathering ();
  }

(* What was raised only because the scope, or something around it, was stopped is no failure. *)
let is_echo s exn = exn == Fiber.sibling_failed || Group.is_stopped_with s.group exn

let fail s index exn backtrace =
  if not (is_echo s exn) then begin
    let f = { index; exn; backtrace } in
    Lock.protect s.lock (fun () -> s.failures <- f :: s.failures);
    if s.policy = Cancel_rest then Group.stop s.group (Fiber.Cancelled "another task of the scope has failed")
  end

(* Whoever leaves does so once, also if a signal's exception has it do so again. *)
let leave s =
  let left = ref false in
  fun () ->
    let last =
      Lock.protect s.lock (fun () ->
          if not !left then begin
            s.running <- s.running - 1;
            left := true
          end;
          s.running = 0)
    in
    if last then
      match Job.try_settle s.ended (Returned ()) with
      | Some waiters -> Worker.deliver s.ended waiters
      | None -> ()

let enter s =
  Lock.protect s.lock @@ fun () ->
  if s.running = 0 then invalid_arg "Weft.Scope.async: the scope is closed";
  s.running <- s.running + 1;
  s.started <- s.started + 1;
  s.started

(* A task leaves when its promise has been settled: whoever comes after the scope finds all promises so. *)
let async s f =
  let index = enter s in
  let leave = leave s in
  let leaves = Job.Callback leave in
  let run () =
    match Group.enter s.group f with
    | v ->
        Strand.gather s.strands;
        v
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        fail s index exn backtrace;
        Strand.gather s.strands;
        raise_notrace (Worker.Noted (exn, backtrace))
  in
  match Fork_join.async run with
  | j ->
      Weft_support.Interrupt.complete (fun () -> if not (Job.add_waiter j leaves) then leave ());
      Promise.Private.of_job j
  | exception exn ->
      (* The caller is cancelled, or its pool is closed: there is no task. *)
      let backtrace = Printexc.get_raw_backtrace () in
      leave ();
      Printexc.raise_with_backtrace exn backtrace

let cancel ?(reason = "the scope was cancelled") s = Group.stop s.group (Fiber.Cancelled reason)
let by_index f g = compare f.index g.index
let failures s = List.map (fun f -> (f.exn, f.backtrace)) (List.sort by_index s.failures)

(* Whatever ends the wait stops the tasks, and is noted; they are waited for. *)
let rec wait s =
  let note exn = if Option.is_none s.cut_short then s.cut_short <- Some exn in
  let cancel exn =
    if not (Job.is_settled s.ended) then note exn;
    Group.stop s.group exn
  in
  try
    if not (Job.is_settled s.ended) then
      Waiting.suspend_until ~what:"the tasks of a Weft.Scope" ~cancel s.ended
  with exn ->
    (* A signal's. *)
    note exn;
    cancel exn;
    wait s

(* What [run] raises, and what it does not. *)
let raise_first s =
  match s.failures with
  | [] -> ()
  | youngest_first ->
      let in_time = List.rev youngest_first in
      let order =
        match s.policy with Cancel_rest -> in_time | Keep_going -> List.stable_sort by_index in_time
      in
      let first = List.hd order in
      List.iter (fun f -> Uncaught.suppressed f.exn f.backtrace) (List.tl order);
      Printexc.raise_with_backtrace first.exn first.backtrace

let run_inside policy f =
  let s = make policy in
  let outcome =
    match Group.body s.group (fun () -> f s) with
    | v -> Ok v
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        fail s 0 exn backtrace;
        Error (exn, backtrace)
  in
  Strand.gather s.strands;
  leave s ();
  wait s;
  Strand.after s.strands;
  raise_first s;
  (* Tasks may have been cut short though the body was not. *)
  Context.check ();
  match (outcome, s.cut_short) with
  | Ok _, Some exn -> raise exn
  | Ok v, None -> v
  | Error (exn, backtrace), _ -> Printexc.raise_with_backtrace exn backtrace

let run ?(on_failure = Cancel_rest) f = Here.in_pool (fun () -> run_inside on_failure f)
