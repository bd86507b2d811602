open Pending
open Completion

type level = Completion.level = Funneled | Serialized
type status = int array
type pending = Pending.t

let open_window = Completion.open_window
let close_window = Completion.close_window

(* --- the fiber --- *)

let make ~what ~awaits ~on_cancel keep_alive =
  let status = Array.make Raw.status_words 0 and outcome = Job.pending () in
  let request = Raw.no_request in
  { what; keep_alive; awaits; on_cancel; request; matched = [||]; status; outcome; reason = None }

let give_up p exn =
  match p.on_cancel with
  | Go_on -> settle p (raised exn)
  | Wait -> ()
  | Withdraw ->
      if p.reason = None then p.reason <- Some exn;
      withdraw_soon p

let suspend p = Suspend.suspend_until ~what:p.what ~cancel:(give_up p) p.outcome

(* Nothing that a closing pool does would end this wait. *)
let suspend_to_the_end p (w : Worker.t) =
  let suspended = w.parts.home.suspended in
  Suspended_fibers.hold suspended;
  Fun.protect ~finally:(fun () -> Suspended_fibers.release suspended) (fun () -> suspend p)

let suspend_until_settled p =
  if not (Job.is_settled p.outcome) then
    Deadlock.expect (fun () ->
        match p.on_cancel with
        | Wait -> suspend_to_the_end p (Current_worker.worker ())
        | Go_on | Withdraw -> suspend p)

(* [begin_ ()] posts [p]. *)
let complete p begin_ =
  if Current_worker.is_outside () then
    Deadlock.expect (fun () -> Outside.complete p ~give_up:(give_up p) begin_)
  else begin
    begin_ ();
    suspend_until_settled p
  end;
  Job.get p.outcome

let finish p = if Job.is_settled p.outcome then Job.get p.outcome else complete p ignore

(* For a program's end, where a fiber must not be suspended. *)
let completes_within p seconds =
  let until = Weft.now () +. seconds in
  let rec look () =
    Job.is_settled p.outcome
    || Weft.now () < until
       && begin
            Thread.delay 0.001;
            look ()
          end
  in
  look ()

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

let rec try_message p times =
  Receives.try_match p
  || times > 1
     && begin
          Domain.cpu_relax ();
          try_message p (times - 1)
        end

let try_for p times =
  ((not (Receives.lacks_message p)) || try_message p times)
  && (Job.is_settled p.outcome || try_request p times)

let rec try_again p worker left =
  try_for p tests || (left > 0 && is_free worker && try_again p worker (left - 1))

(* Whether it is settled. *)
let try_directly p =
  try_for p 1
  ||
  let worker = Worker.current () in
  is_free worker && try_again p worker (patience worker)

let check () =
  if Current_worker.is_outside () then Outside.check ()
  else begin
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
             Request_table.watch p
         | exception exn -> settle p (Job.raised exn)))

let start p ~direct f =
  match !level with
  | Funneled -> post_there p f
  | Serialized ->
      p.request <- f ();
      if not (if direct then try_directly p else try_for p 1) then submit (Watch p)

let post ?(to_the_end = false) ~what ~keep_alive f =
  let p =
    make ~what ~awaits:Request ~on_cancel:(if to_the_end then Wait else Go_on) (Keep_alive keep_alive)
  in
  let start () = start p ~direct:false f in
  if Current_worker.is_outside () then Outside.uninterrupted start else start ();
  p

let perform_as on_cancel ~what ~keep_alive f =
  let p = make ~what ~awaits:Request ~on_cancel (Keep_alive keep_alive) in
  complete p (fun () -> start p ~direct:true f)

let perform ?(even_if_cancelled = false) ~what ~keep_alive f =
  if not even_if_cancelled then check ();
  perform_as Go_on ~what ~keep_alive f

let perform_to_the_end ~what ~keep_alive f = perform_as Wait ~what ~keep_alive f

let watch_for_message p =
  Receives.is_submitted p;
  try submit (Watch p)
  with exn ->
    let backtrace = Printexc.get_raw_backtrace () in
    settle p (raised exn);
    Printexc.raise_with_backtrace exn backtrace

(* A message that a receive already waits for must not go to a later one. *)
let may_match_directly p = !level = Serialized && not (Receives.is_behind_others p)

let receive ~what ~source ~tag comm receive =
  check ();
  let p = make ~what ~awaits:(Message { source; tag; comm; receive }) ~on_cancel:Withdraw (Keep_alive ()) in
  let start () =
    if not (may_match_directly p && try_directly p) then
      if Receives.lacks_message p then watch_for_message p else submit (Watch p)
  in
  complete p start;
  p.matched

let call_there ~what f =
  let p = make ~what ~awaits:Request ~on_cancel:Wait (Keep_alive ()) and result = ref None in
  let call () =
    match f () with
    | v ->
        result := Some v;
        settle p (Returned ())
    | exception exn -> settle p (Job.raised exn)
  in
  complete p (fun () -> submit (Call call));
  Option.get !result

let call ~what f = match !level with Serialized -> f () | Funneled -> call_there ~what f

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
