open Pending

(* --- exceptions that come too late for their call --- *)

let late : (int * exn * Printexc.raw_backtrace) list Atomic.t = Atomic.make []
let this_thread () = Thread.id (Thread.self ())

let rec keep exn backtrace =
  let before = Atomic.get late in
  if not (Atomic.compare_and_set late before ((this_thread (), exn, backtrace) :: before)) then
    keep exn backtrace

(* The first of this thread's; the youngest stand first. *)
let rec take () =
  let before = Atomic.get late in
  let me = this_thread () in
  match List.rev (List.filter (fun (thread, _, _) -> thread = me) before) with
  | [] -> None
  | first :: _ ->
      let others = List.filter (fun entry -> entry != first) before in
      if Atomic.compare_and_set late before others then Some first else take ()

let check () =
  if Atomic.get late <> [] then
    Option.iter (fun (_, exn, backtrace) -> Printexc.raise_with_backtrace exn backtrace) (take ())

(* --- calls --- *)

let uninterrupted f = Signals.enter ~wake:ignore (fun _ -> f ())

let block p parker place c =
  let rec wait () =
    Signals.poll_queued c place;
    if not (Job.is_settled p.outcome) then begin
      Exit_functions.run_if_due ();
      Outside_waiters.park place infinity;
      wait ()
    end
  in
  let waiter = Forward_effects.outsider (fun () -> Parker.unpark parker) in
  if Forward_effects.await ~first:false p.outcome waiter then Outside_waiters.while_queued place wait

let complete p ~give_up begin_ =
  Stack_room.(ensure deep);
  let parker = Parker.create ~interruptible:true in
  let place = Outside_waiters.place parker in
  let call c =
    begin_ ();
    if not (Job.is_settled p.outcome) then block p parker place c
  in
  match Signals.enter ~stop:give_up ~parker ~wake:(fun () -> Parker.unpark parker) call with
  | () -> ()
  | exception exn -> (
      let backtrace = Printexc.get_raw_backtrace () in
      match Job.state p.outcome with
      | Returned () -> keep exn backtrace
      | _ -> Printexc.raise_with_backtrace exn backtrace)
