open Effect.Deep
open Worker

exception Noted of exn * Printexc.raw_backtrace

(* What a worker does when a fiber has ended: nothing, or continue, on the spot, a fiber that waited for it. *)
type next = Next : ('a, unit) continuation * 'a Job.t -> next | Nothing

(* A waiter that can go on here does so; the others are queued. *)
let deliver_here : type a. home:Job.home -> a Job.t -> a Job.waiter list -> next =
 fun ~home j waiters ->
  match waiters with
  | [] -> Nothing
  | [ Joiner k ] -> (
      match Next (k, j) with
      | next -> next
      | exception exn ->
          let backtrace = Printexc.get_raw_backtrace () in
          Resume.deliver j waiters;
          Printexc.raise_with_backtrace exn backtrace)
  | (Fiber s as first) :: others when s.home == home -> (
      match
        let next = Next (s.continuation, j) in
        Suspended_fibers.remove s.home.suspended s.entry;
        next
      with
      | exception exn ->
          let backtrace = Printexc.get_raw_backtrace () in
          Resume.deliver j waiters;
          Printexc.raise_with_backtrace exn backtrace
      | next -> (
          match Resume.deliver j others with
          | () -> if Atomic.exchange s.claimed true then Nothing else next
          | exception exn ->
              let backtrace = Printexc.get_raw_backtrace () in
              Resume.deliver_one j first;
              Printexc.raise_with_backtrace exn backtrace))
  | waiters ->
      Resume.deliver j waiters;
      Nothing

(* The body of a fiber. Claimed inside it, so that a signal's exception either comes before, and the job stays in the hands of
   the loop, or is the job's own. *)
let run_entered (Job.T j) (maker : Fiber.context) =
  let deque = Deque_memory.current () in
  (* The joiner of a fork will come and ask; of a task, nobody may. *)
  let forked = match Job.state j with Fork _ -> true | _ -> false in
  let context =
    let outer = if forked then maker else Fiber.none in
    Fiber.base (Fiber.make deque) ~outer ~bindings:maker.bindings
  in
  let here = Job.within context and taken : _ Job.state = Taken context in
  let claimed = ref false and awaited = ref forked in
  let outcome : _ Job.state =
    match
      claimed := Job.claim j ~taken;
      if !claimed then begin
        Job.set_here deque here;
        Job.Returned (j.run ())
      end
      else Job.taken
    with
    | outcome -> outcome
    | exception Noted (exn, backtrace) when !claimed -> (
        awaited := true;
        match Job.Raised (Job.failure exn backtrace) with
        | outcome -> outcome
        | exception signal -> Job.raised signal)
    | exception exn when !claimed -> Job.raised exn
  in
  if not !claimed then Nothing
  else begin
    let w = of_deque (Deque_memory.current ()) in
    let home = w.parts.home in
    (* Before it is settled: whoever observes it from then on must find it watched, and the joiner the failure that it takes
       back. *)
    match
      match outcome with
      | Raised _ when forked -> Fiber.fork_failed maker
      | Raised f when not !awaited -> Job.watch f ~pool:home.name
      | _ -> ()
    with
    | () -> deliver_here ~home j (Job.settle j outcome)
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        Resume.deliver j (Job.settle j outcome);
        Printexc.raise_with_backtrace exn backtrace
  end

let[@inline never] run_in_arenas (Job.T j as task) (maker : Fiber.context) arenas =
  let home = (of_deque (Deque_memory.current ())).parts.home in
  let let_go = Suspended_fibers.hold_once home.suspended in
  let again () =
    let wanted = not (Job.is_stale j) in
    if wanted then put_back task home;
    let_go ();
    wanted
  in
  let entered =
    try Limit.enter arenas ~again
    with exn ->
      let_go ();
      raise exn
  in
  if not entered then Nothing
  else begin
    let_go ();
    match run_entered task maker with
    | next ->
        Limit.leave arenas;
        next
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        Limit.leave arenas;
        Printexc.raise_with_backtrace exn backtrace
  end

let run_job (Job.T j as task) =
  let maker = Job.maker j in
  match Limit.of_bindings maker.bindings with
  | [] -> run_entered task maker
  | arenas -> run_in_arenas task maker arenas

let go_on = function Nothing -> () | Next (k, j) -> Job.continue_with k j
