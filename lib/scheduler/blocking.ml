(* --- the limit --- *)

let default_limit = 512
let variable = "WEFT_BLOCKING_THREADS"

(* 0: not read yet. *)
let the_limit = Atomic.make 0

let[@inline never] find_limit () =
  let found, complaint =
    match Machine.count_from_env ~variable ~most:10_000 (Sys.getenv_opt variable) with
    | Ok n -> (Option.value n ~default:default_limit, "")
    | Error why -> (default_limit, why)
  in
  if Atomic.compare_and_set the_limit 0 found && complaint <> "" then
    Printf.eprintf "weft: %s; using %d\n%!" complaint default_limit

let limit () =
  if Atomic.get the_limit = 0 then find_limit ();
  Atomic.get the_limit

let set_limit n = Atomic.set the_limit n

(* --- who there is --- *)

type request = unit -> unit

(* [order] says what the helper does next, or, for the host, for whom it shall make a helper. *)
type helper = { parker : Parker.t; order : request option Atomic.t }
type host = Absent | Wanted | Present of helper

type t = {
  lock : Lock.t; (* guards all that follows *)
  requests : request Wait_queue.t;
  idle : helper Wait_queue.t; (* the last to become idle comes first *)
  mutable queued : int; (* how many requests *)
  mutable threads : int;
  mutable resting : int; (* how many of them are idle *)
  mutable host : host;
  mutable ending : bool; (* the program ends *)
}

let all =
  {
    lock = Lock.create ();
    requests = Wait_queue.create ();
    idle = Wait_queue.create ();
    queued = 0;
    threads = 0;
    resting = 0;
    host = Absent;
    ending = false;
  }

let calls = Deadlock.blocking_calls
let in_progress () = Atomic.get calls
let queued () = all.queued

(* Read without the lock: the two may be of different moments. *)
let running () = Int.max 0 (all.threads - all.resting)
let[@inline never] helpers () = all.threads
let[@inline never] has_host () = all.host <> Absent
let helper order = { parker = Parker.create ~interruptible:false; order = Atomic.make order }

(* The order to end. *)
let the_end : request option = Some ignore

(* --- under the lock: nothing here allocates --- *)

let is_without_order h = match Atomic.get h.order with None -> true | Some _ -> false

let give h order =
  Atomic.set h.order order;
  Parker.unpark h.parker

let take_request () =
  all.queued <- all.queued - 1;
  Wait_queue.take all.requests

let wake_host () = match all.host with Present h -> Parker.unpark h.parker | Absent | Wanted -> ()

(* Called after a request was queued. If a helper is idle, the queue was empty before. *)
let find_helper () =
  match Wait_queue.take all.idle with
  | Some h ->
      all.resting <- all.resting - 1;
      give h (take_request ())
  | None -> (
      if all.threads < Atomic.get the_limit then
        match all.host with
        | Present h -> Parker.unpark h.parker
        | Absent -> all.host <- Wanted
        | Wanted -> ())

let dismiss h =
  all.threads <- all.threads - 1;
  give h the_end;
  wake_host ()

(* A helper has finished its call. *)
let next_for h node () =
  if is_without_order h && not (Wait_queue.is_queued node) then
    if all.threads > Atomic.get the_limit then dismiss h
    else if Wait_queue.is_empty all.requests then begin
      Wait_queue.add_first all.idle node;
      all.resting <- all.resting + 1
    end
    else give h (take_request ())

(* A helper has been idle for long; it may just have got a request. *)
let end_if_idle h node () =
  if Wait_queue.is_queued node then begin
    Wait_queue.remove node;
    all.resting <- all.resting - 1;
    dismiss h
  end

(* The host has no order and asks what to do. *)
let look_for_host h () =
  if is_without_order h then
    if Wait_queue.is_empty all.requests then begin
      if all.threads = 0 || all.ending then begin
        all.host <- Absent;
        give h the_end
      end
    end
    else if all.threads < Atomic.get the_limit then begin
      all.threads <- all.threads + 1;
      give h (take_request ())
    end

(* --- the threads of the host --- *)

let seconds_idle = 0.1

(* A handler that is not known ({!Handlers}) may raise on a thread for which a call has unmasked the
   signal: after that call, or before the next. *)
let rec despite_exceptions f x =
  try f x
  with exn ->
    Say.line "a thread of Weft.blocking was interrupted by an exception (%s); it goes on"
      (Printexc.to_string exn);
    despite_exceptions f x

let rec serve h ~next ~end_if_idle =
  match Atomic.get h.order with
  | Some _ as order when order == the_end -> ()
  | Some request ->
      request ();
      Atomic.set h.order None;
      Lock.do_soon all.lock next;
      serve h ~next ~end_if_idle
  | None ->
      (match Parker.park_for h.parker seconds_idle with
      | Timed_out -> Lock.do_soon all.lock end_if_idle
      | Token | Interrupted -> ());
      serve h ~next ~end_if_idle

let helper_main order =
  Finalisers.enter ();
  let h = helper order in
  let node = Wait_queue.node h in
  let next = next_for h node and end_if_idle = end_if_idle h node in
  (* The exception may have come after a call, before the helper asked for the next one. *)
  despite_exceptions
    (fun () ->
      Lock.do_soon all.lock next;
      serve h ~next ~end_if_idle)
    ()

let start_helper request =
  match Runtime_threads.start_thread (fun () -> Thread.create helper_main (Some request)) with
  | (_ : Thread.t) -> ()
  | exception _ ->
      (* The system has no more threads. The host makes the calls on its own thread: one at a time is
         better than none. *)
      despite_exceptions request ();
      Lock.do_soon all.lock (fun () -> all.threads <- all.threads - 1)

let rec be_host h =
  Lock.do_soon all.lock (look_for_host h);
  match Atomic.get h.order with
  | Some _ as order when order == the_end -> ()
  | Some request ->
      Atomic.set h.order None;
      start_helper request;
      be_host h
  | None ->
      ignore (Parker.park h.parker);
      be_host h

(* Whether a domain or a thread could be started for it. *)
let start h =
  Domain_start.with_signals_masked @@ fun masked ->
  match
    Domain_start.start_apart (Runtime_threads.domain "Weft.blocking") ~masked (fun () ->
        despite_exceptions be_host h)
  with
  | () -> true
  | exception _ -> false

let[@inline never] start_host () =
  let h = helper None in
  let mine =
    Lock.protect all.lock (fun () ->
        let mine = all.host = Wanted in
        if mine then all.host <- Present h;
        mine)
  in
  (* Neither a domain nor a thread can be had: this worker makes the calls until the queue is empty. *)
  if mine && not (start h) then be_host h

(* --- the fiber --- *)

(* The state of a request, under the lock, for its fiber and for those who cancel it. *)
type fate = New | Made | Dropped

let enqueue node fate =
  ignore (limit ());
  Lock.protect all.lock (fun () ->
      fate := Made;
      Atomic.incr calls;
      Wait_queue.add all.requests node;
      all.queued <- all.queued + 1;
      find_helper ());
  if all.host = Wanted then start_host ()

let settle result outcome =
  match Job.try_settle result outcome with None -> () | Some waiters -> Resume.deliver result waiters

(* By the fiber or by whoever cancels it: from any thread, any number of times. *)
let drop node fate result exn =
  let outcome = Job.Raised (Job.failure exn (Printexc.get_callstack 0)) in
  Lock.do_soon all.lock (fun () ->
      if Wait_queue.is_queued node then begin
        fate := Dropped;
        Wait_queue.remove node;
        all.queued <- all.queued - 1
      end;
      match !fate with Dropped -> settle result outcome | New | Made -> ())

let why =
  "no handler inside the function of Weft.blocking handles it, and those around the call do not see it, \
   since it runs on another thread; put the handler inside"

let with_bindings f =
  let b = Locals.current () in
  if Bindings.is_empty b then f else fun () -> Locals.within b f

(* It settles the request once, and completely, however often it is called: see [despite_exceptions]. *)
let request f result =
  let begun = ref false and outcome = ref Job.Pending in
  fun () ->
    if not !begun then begin
      begun := true;
      outcome :=
        match Trace_hooks.while_calling f () with
        | v -> Job.Returned v
        | exception exn ->
            let backtrace = Printexc.get_raw_backtrace () in
            Job.Raised (Job.failure (Refusal.explained ~why exn) backtrace)
    end;
    settle result !outcome

let what = "Weft.blocking"

let call f fate =
  let result = Job.pending () in
  let node = Wait_queue.node (request (with_bindings f) result) in
  enqueue node fate;
  Suspend.suspend_until ~what ~cancel:(drop node fate result) result

let run f =
  match Worker.current () with
  | None -> f ()
  | Some _ when !Explored.on ->
      Poll.check ();
      Poll.choose ~what;
      Refused_effects.within ~why f ()
  | Some w ->
      (* Once the call is in line, this fiber waits for its end. *)
      Stack_room.(ensure deep);
      Poll.check ();
      let suspended = w.parts.home.suspended and fate = ref New in
      (* Until the fiber runs again, the deadlock detector must not conclude that nothing will resume it. *)
      let let_go () =
        Suspended_fibers.release suspended;
        if !fate <> New then Atomic.decr calls
      in
      Suspended_fibers.hold suspended;
      Fun.protect ~finally:let_go (fun () -> call f fate)

(* The host's domain has done its functions of [Domain.at_exit]; its calls go on. *)
let end_host_at_exit () =
  Lock.do_soon all.lock (fun () ->
      all.ending <- true;
      wake_host ())

let () = Exit_functions.on_exit end_host_at_exit
