type raised = exn * Printexc.raw_backtrace
type state = Running | Cancelling of raised | Left of raised
type signal = { number : int; handler : Handlers.handler; at : int }

type t = {
  is_first_thread : bool;
  masked : Signal_mask.t;
  home : Job.home option;
  stop : (exn -> unit) option;
  wake : unit -> unit;
  state : state Atomic.t;
  pending : signal list Atomic.t; (* youngest first *)
  polling : bool Atomic.t;
  closed : bool Atomic.t;
  working : bool Atomic.t;
}

(* Nanoseconds. SIGINTs that come closer together count as one. *)
let sigint_window = 100_000_000

let rec update list f =
  let was = Atomic.get list in
  if not (Atomic.compare_and_set list was (f was)) then update list f

(* Eldest first. *)
let all : t list Atomic.t = Atomic.make []

(* How many signals are pending, so that a poll that finds nothing is one load. *)
let waiting = Atomic.make 0

(* The thread that initialises the library. *)
let first_thread = Thread.id (Thread.self ())
let is_first_thread () = Thread.id (Thread.self ()) = first_thread

(* Threads of ours that are neither workers nor in a domain of ours. *)
let threads : int list Atomic.t = Atomic.make []
let is_aside () = List.mem (Thread.id (Thread.self ())) (Atomic.get threads)

let is_ours () =
  (not (is_first_thread ()))
  && (Deque_memory.current () != Deque_memory.nowhere () || Exit_functions.is_own () || is_aside ())

let aside f =
  Finalisers.within @@ fun () ->
  let id = Thread.id (Thread.self ()) in
  update threads (List.cons id);
  Fun.protect f ~finally:(fun () -> update threads (List.filter (fun other -> other <> id)))

(* --- noting --- *)

type target = Computation of t | First_thread | Here

let masks number c = Signal_mask.mem number c.masked
let is_open c = not (Atomic.get c.closed)

(* If the first thread runs this handler, it has unmasked the signal since it entered. *)
let target number =
  let computations = Atomic.get all in
  match List.find_opt (fun c -> c.is_first_thread && is_open c) computations with
  | Some c when is_first_thread () || not (masks number c) -> Computation c
  | Some _ | None -> (
      match List.find_opt (fun c -> is_open c && not (masks number c)) computations with
      | Some c -> Computation c
      | None -> if is_ours () then First_thread else Here)

let die why =
  Say.line "SIGINT again, and %s: the process ends" why;
  Sys.set_signal Sys.sigint Signal_default;
  Unix.kill (Unix.getpid ()) Sys.sigint

let is_left c = match Atomic.get c.state with Left _ -> true | Running | Cancelling _ -> false

let add c signal =
  Atomic.incr waiting;
  update c.pending (List.cons signal)

let take c =
  let signals = List.rev (Atomic.exchange c.pending []) in
  List.iter (fun _ -> Atomic.decr waiting) signals;
  signals

let rec receive number handler =
  match target number with
  | Here -> handler number
  | First_thread -> Handlers.send_to_first_thread number handler
  | Computation c -> (
      let now = Timer_thread.now () in
      match List.find_opt (fun s -> s.number = number && s.handler == handler) (Atomic.get c.pending) with
      | _ when number = Sys.sigint && is_left c -> die "the call that it has ended is being left"
      | Some s when number = Sys.sigint && now - s.at > sigint_window ->
          die "no task has forked, waited or looked since the last one"
      | Some _ -> c.wake ()
      | None ->
          add c { number; handler; at = now };
          if Atomic.get c.closed then pass_on c else c.wake ())

(* Calls all of them, even if one raises; then raises that exception. *)
and pass_on c =
  let raised = ref None in
  let pass s =
    try receive s.number s.handler with exn -> raised := Some (exn, Printexc.get_raw_backtrace ())
  in
  List.iter pass (take c);
  Option.iter (fun (exn, backtrace) -> Printexc.raise_with_backtrace exn backtrace) !raised

let () = Handlers.receive := receive

let () =
  Finalisers.report (fun exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      let what = "a finaliser has raised where nobody can catch it" in
      Uncaught.report (Uncaught.add (Other what) exn backtrace))

(* --- polling --- *)

let has_raised c ((exn, _) as raised : raised) =
  match (Atomic.get c.state, c.stop) with
  | Running, Some stop ->
      Atomic.set c.state (Cancelling raised);
      stop exn
  | Running, None | Cancelling _, _ ->
      Atomic.set c.state (Left raised);
      c.wake ()
  | Left _, _ -> ()

(* Neither the task that polls nor its effect handlers have to do with the signal. *)
let call_handler s =
  Refused_effects.within ~why:"no handler inside the handler of the signal handles it" s.handler s.number

let run_handler c s =
  match call_handler s with () -> () | exception exn -> has_raised c (exn, Printexc.get_raw_backtrace ())

(* Signals that arrive meanwhile are left to the next poll: a handler may send a signal itself. *)
let poll c =
  if Atomic.get c.pending <> [] && Atomic.compare_and_set c.polling false true then begin
    Fun.protect ~finally:(fun () -> Atomic.set c.polling false) (fun () -> List.iter (run_handler c) (take c));
    if Atomic.get c.pending <> [] then c.wake ()
  end

let poll_queued c place =
  if Atomic.get c.pending <> [] then begin
    Outside_waiters.leave place;
    poll c
  end

let is_in home c = match c.home with Some h -> h == home | None -> false
let poll_for home = List.iter (fun c -> if is_in home c then poll c) (Atomic.get all)

let[@inline never] has_work home =
  List.exists
    (fun c -> is_in home c && Atomic.get c.pending <> [] && not (Atomic.get c.polling))
    (Atomic.get all)

let[@inline] is_pending home = Atomic.get waiting > 0 && has_work home

(* --- leaving at once --- *)

let set_working c working = Atomic.set c.working working

let must_leave_slot home =
  List.exists (fun c -> Atomic.get c.working && is_left c && is_in home c) (Atomic.get all)

(* --- computations --- *)

exception Gone

let no_signals = Signal_mask.of_list []

let make ?home ?stop ~wake () =
  let masked = if Handlers.take_over () then Signal_mask.current () else no_signals in
  {
    is_first_thread = is_first_thread ();
    masked;
    home;
    stop;
    wake;
    state = Atomic.make Running;
    pending = Atomic.make [];
    polling = Atomic.make true;
    closed = Atomic.make false;
    working = Atomic.make false;
  }

(* A handler that is running may yet raise, or call [exit]. *)
let rec stop_polling c =
  if not (Atomic.compare_and_set c.polling false true) then begin
    Exit_functions.run_if_due ();
    Unix.sleepf 0.0001;
    stop_polling c
  end

let close c =
  Atomic.set c.closed true;
  update all (List.filter is_open);
  pass_on c

let raise_it (exn, backtrace) = Printexc.raise_with_backtrace exn backtrace

(* Nobody polls before the end of the program would wait for this domain's functions, nor after it would. *)
let polled c f =
  Atomic.set c.polling false;
  if Atomic.get c.pending <> [] then c.wake ();
  Fun.protect ~finally:(fun () -> stop_polling c) (fun () -> f c)

let enter ?home ?stop ?parker ~wake f =
  Finalisers.within @@ fun () ->
  let c = make ?home ?stop ~wake () in
  if not (is_aside ()) then update all (fun others -> others @ [ c ]);
  let run () =
    match parker with
    | None -> polled c f
    | Some parker -> Exit_functions.while_waiting parker (fun () -> polled c f)
  in
  match run () with
  | v -> (
      close c;
      match Atomic.get c.state with Running -> v | Cancelling raised | Left raised -> raise_it raised)
  | exception exn -> (
      let backtrace = Printexc.get_raw_backtrace () in
      close c;
      match Atomic.get c.state with
      | Running -> Printexc.raise_with_backtrace exn backtrace
      | Cancelling ((its, _) as raised) | Left ((its, _) as raised) ->
          if exn != its && exn != Gone then Uncaught.suppressed exn backtrace;
          raise_it raised)

let computations () = List.length (Atomic.get all)
