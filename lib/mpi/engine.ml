open Completion

type level = Completion.level = Funneled | Serialized
type status = int array
type pending = Completion.pending

let open_window = Completion.open_window
let close_window = Completion.close_window

(* --- the fiber --- *)

let make ~what ~cancellable keep =
  let status = Array.make Raw.status_words 0 in
  let outcome = Job.pending () in
  { what; keep; cancellable; request = Raw.no_request; status; outcome; reason = None }

let give_up p exn =
  if not p.cancellable then settle p (raised exn)
  else begin
    if p.reason = None then p.reason <- Some exn;
    cancel_soon p
  end

let block p =
  try Suspend.block p.outcome
  with exn ->
    let backtrace = Printexc.get_raw_backtrace () in
    give_up p exn;
    Printexc.raise_with_backtrace exn backtrace

let abandon = give_up

let finish p =
  if not (Job.is_settled p.outcome) then
    Deadlock.expect (fun () ->
        if Current_worker.is_outside () then block p
        else Suspend.suspend_until ~what:p.what ~cancel:(give_up p) p.outcome);
  Job.get p.outcome;
  p.status

(* --- the direct path --- *)

let tests = 64
let bursts = 4
let bursts_alone = 200

let is_idle (w : Worker.t) =
  Deque.is_empty w.deque && Injector.is_empty w.parts.injector && Injector.is_empty w.parts.background
  && not (Deque.is_preempt_requested w.deque)

(* How often to test before the fiber gives way, as long as the worker has nothing else to do. *)
let patience = function
  | None -> bursts
  | Some (w : Worker.t) -> if Array.length w.parts.workers = 1 then bursts_alone else bursts

let is_free = function None -> true | Some w -> is_idle w

let rec test_for p worker left =
  Raw.test p.request p.status tests || (left > 0 && is_free worker && test_for p worker (left - 1))

let test_directly p =
  Raw.test p.request p.status 1
  ||
  let worker = Worker.current () in
  is_free worker && test_for p worker (patience worker)

let begin_call () =
  if not (Current_worker.is_outside ()) then begin
    Stack_room.(ensure deep);
    Poll.check ()
  end

(* With FUNNELED: by the communication thread. *)
let post_there p f =
  submit
    (Call
       (fun () ->
         match f () with
         | request ->
             p.request <- request;
             watch p
         | exception exn -> settle p (Job.raised exn)))

let start ~direct ~cancellable ~what ~keep f =
  begin_call ();
  let p = make ~what ~cancellable (Keep keep) in
  (match !level with
  | Funneled -> post_there p f
  | Serialized ->
      p.request <- f ();
      if if direct then test_directly p else Raw.test p.request p.status 1 then completed p
      else submit (Watch p));
  p

let post ?(cancellable = false) ~what ~keep f = start ~direct:false ~cancellable ~what ~keep f
let perform ?(cancellable = false) ~what ~keep f = finish (start ~direct:true ~cancellable ~what ~keep f)

let call_there ~what f =
  let p = make ~what ~cancellable:false (Keep ()) and result = ref None in
  submit
    (Call
       (fun () ->
         match f () with
         | v ->
             result := Some v;
             settle p (Returned ())
         | exception exn -> settle p (Job.raised exn)));
  ignore (finish p : status);
  Option.get !result

let call ~what f =
  begin_call ();
  match !level with Serialized -> f () | Funneled -> call_there ~what f

(* --- beginning and end --- *)

let check_level wanted provided =
  if provided < 0 then failwith "Weft_mpi: MPI has been finalized"
  else if provided = 0 then failwith "Weft_mpi: this MPI allows no threads (MPI_THREAD_SINGLE)"
  else if provided = 1 && wanted = Serialized then
    failwith "Weft_mpi: this MPI allows one thread only: set WEFT_MPI_THREADS=funneled"

let start_mpi wanted =
  level := wanted;
  let number = match wanted with Funneled -> 1 | Serialized -> 2 in
  check_level wanted (call ~what:"MPI_Init_thread" (fun () -> Raw.init number))

let stop_mpi () =
  call ~what:"MPI_Finalize" Raw.finalize;
  Completion.stop ()
