let is_source (j : _ Job.t) = match j.state with Pending | Expected _ -> true | _ -> false

(* A fiber that leaves its worker takes its bindings with it: see Locals. *)
let perform wait =
  if Locals.any_here () then Locals.none_while (fun () -> Effect.perform (Worker.Suspend wait))
  else Effect.perform (Worker.Suspend wait)

(* An effect does not pass through C code, such as that of a library that calls OCaml back: there the fiber cannot be
   suspended. The worker then goes on with other work on top of this stack until the job is settled: no other way keeps a
   pool of one going. Listed like a suspended fiber, so that closing the pool waits for it or ends it. *)
let[@inline never] work_until_settled j =
  match Worker.current () with
  | None -> invalid_arg "Weft: internal error: a worker was expected to wait"
  | Some w -> (
      let ended = Atomic.make None in
      let unpark () = Parker.unpark w.sleeper.parker in
      let cancel exn =
        Atomic.set ended (Some exn);
        unpark ()
      in
      let entry = Suspended.entry ~source:(is_source j) cancel in
      Suspended.add w.parts.home.suspended entry;
      Fun.protect
        ~finally:(fun () -> Suspended.remove w.parts.home.suspended entry)
        (fun () ->
          if Job.add_waiter j (Callback unpark) then
            let until () = Job.is_settled j || Atomic.get ended <> None in
            Locals.none_while (fun () -> Worker.work w ~until));
      match Atomic.get ended with Some exn when not (Job.is_settled j) -> raise exn | _ -> Job.get j)

let rec join j =
  (* On the worker's stack: a signal's exception there must end the fiber, not lose it. *)
  let wait k =
    match Job.add_waiter j (Joiner k) with
    | true -> ()
    | false -> Job.continue_with k j
    | exception exn -> Effect.Deep.discontinue k exn
  in
  match perform wait with
  | v -> v
  | exception Effect.Unhandled (Worker.Suspend _) -> work_until_settled j
  | exception exn when not (Job.is_settled j) ->
      (* A signal's, before the fiber was suspended: the fork must end first all the same. *)
      let backtrace = Printexc.get_raw_backtrace () in
      (match join j with _ -> () | exception _ -> ());
      Printexc.raise_with_backtrace exn backtrace

let suspend j =
  let home =
    match Worker.current () with Some w -> w.parts.home | None -> invalid_arg "Weft: not in a pool"
  in
  let claimed = Atomic.make false and source = is_source j and entry = ref Suspended.no_entry in
  let register continuation =
    let s : _ Job.suspended = { continuation; claimed; home; entry = Suspended.no_entry } in
    let cancel exn =
      Worker.resume_suspended (Job.bare (fun () -> Effect.Deep.discontinue continuation exn)) s
    in
    (* Listed before it can be resumed, so that whoever resumes it finds the entry to remove. *)
    entry := Suspended.entry ~source cancel;
    s.entry <- !entry;
    Suspended.add home.suspended s.entry;
    if not (Job.add_waiter j (Fiber s)) then
      Worker.resume_suspended (Job.bare (fun () -> Job.continue_with continuation j)) s
  in
  (* On the worker's stack: a signal's exception there must end the fiber, not lose it. *)
  let wait continuation =
    try register continuation
    with exn ->
      if not (Atomic.exchange claimed true) then begin
        Suspended.remove home.suspended !entry;
        Effect.Deep.discontinue continuation exn
      end
  in
  match perform wait with v -> v | exception Effect.Unhandled (Worker.Suspend _) -> work_until_settled j

let run_on_top j =
  match j.Job.run () with
  | v ->
      (match Job.settle j (Returned v) with [] -> () | waiters -> Worker.deliver j waiters);
      v
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      (match Job.settle j (Raised (Job.failure exn backtrace)) with [] -> () | ws -> Worker.deliver j ws);
      Printexc.raise_with_backtrace exn backtrace

let[@inline] run_in_place deque j =
  if Deque.is_tripped deque then Locals.none_while (fun () -> run_on_top j) else run_on_top j

let yield () =
  match Worker.current () with
  | None -> Thread.yield ()
  | Some w -> (
      let home = w.parts.home in
      let wait k =
        let task = Job.bare (fun () -> Effect.Deep.continue k ()) in
        home.queue task;
        home.wake ()
      in
      try perform wait with Effect.Unhandled (Worker.Suspend _) -> ())

let block j =
  let parker = Parker.create ~interruptible:true in
  if Job.add_waiter j (Callback (fun () -> Parker.unpark parker)) then
    while not (Job.is_settled j) do
      ignore (Parker.park parker)
    done
