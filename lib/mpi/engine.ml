type level = Funneled | Serialized
type status = int array
type keep = Keep : 'a -> keep

type pending = {
  what : string;
  keep : keep; [@warning "-unused-field"] (* read by the collector alone *)
  cancellable : bool;
  mutable request : Raw.request;
  status : status;
  outcome : unit Job.t;
  mutable reason : exn option; (* why a receive is given up; written before its order *)
}

type order = Watch of pending | Cancel of pending | Call of (unit -> unit)
type thread = Absent | Wanted | Present of Parker.t

let longest_pause = 2.5e-4
let idle = 0.1
let level = ref Serialized
let windows = Atomic.make 0

(* --- settling, on any thread --- *)

let settle p outcome =
  match Job.try_settle p.outcome outcome with None -> () | Some waiters -> Resume.deliver p.outcome waiters

let error p code = Raw.Error { call = p.what; code; text = Raw.error_text code }
let raised exn = Job.Raised (Job.failure exn (Printexc.get_callstack 0))

(* The status has been written. *)
let completed p =
  match p.reason with
  | Some exn when p.status.(4) = 1 -> settle p (raised exn)
  | _ when p.status.(3) <> 0 -> settle p (raised (error p p.status.(3)))
  | _ -> settle p (Returned ())

(* --- orders --- *)

let orders : order list Atomic.t = Atomic.make []
let lock = Lock.create ()
let thread = ref Absent
let ending = ref false

let rec add order =
  let before = Atomic.get orders in
  if not (Atomic.compare_and_set orders before (order :: before)) then add order

let unpark () = match !thread with Present parker -> Parker.unpark parker | Absent | Wanted -> ()

(* --- the communication thread's table --- *)

type table = {
  mutable entries : pending array;
  mutable requests : int array; (* the same, for MPI *)
  mutable count : int;
  mutable told : int array;
}

let table = { entries = [||]; requests = [||]; count = 0; told = [||] }
let[@inline never] pending () = table.count

let grow p =
  let size = Int.max 16 (2 * table.count) in
  let entries = Array.make size p and requests = Array.make size 0 in
  Array.blit table.entries 0 entries 0 table.count;
  Array.blit table.requests 0 requests 0 table.count;
  table.entries <- entries;
  table.requests <- requests;
  table.told <- Array.make (size * (1 + Raw.status_words)) 0

let watch p =
  if table.count = Array.length table.entries then grow p;
  table.entries.(table.count) <- p;
  table.requests.(table.count) <- (p.request :> int);
  table.count <- table.count + 1

(* What has completed is left in the table by the last step, so that nothing is kept alive by it. *)
let nothing =
  {
    what = "";
    keep = Keep ();
    cancellable = false;
    request = Raw.no_request;
    status = [||];
    outcome = Job.pending ();
    reason = None;
  }

let remove i =
  let last = table.count - 1 in
  table.entries.(i) <- table.entries.(last);
  table.requests.(i) <- table.requests.(last);
  table.entries.(last) <- nothing;
  table.count <- last

let is_watched p =
  let rec from i = i < table.count && (table.entries.(i) == p || from (i + 1)) in
  from 0

let cancel p =
  if is_watched p then try Raw.cancel p.request with Raw.Error _ as exn -> settle p (raised exn)

let obey = function Watch p -> watch p | Cancel p -> cancel p | Call f -> f ()
let take_orders () = if Atomic.get orders <> [] then List.iter obey (List.rev (Atomic.exchange orders []))

(* [n] have completed. Their indices are not in order: removing goes from the last entry down. *)
let settle_told n =
  let width = 1 + Raw.status_words in
  let take k = (table.told.(k * width), Array.sub table.told ((k * width) + 1) Raw.status_words) in
  let done_ = List.sort (fun (i, _) (j, _) -> Int.compare j i) (List.init n take) in
  let settle_one (i, status) =
    let p = table.entries.(i) in
    remove i;
    Array.blit status 0 p.status 0 Raw.status_words;
    completed p
  in
  List.iter settle_one done_

let fail_all code =
  for i = table.count - 1 downto 0 do
    let p = table.entries.(i) in
    remove i;
    settle p (raised (error p code))
  done

(* Whether something happened. *)
let look times =
  let n = Raw.poll table.requests table.count table.told times in
  if n >= 0 then settle_told n else fail_all (-1 - n);
  n <> 0

(* --- its loop --- *)

let hard_rounds = 8
let first_pause = 5e-6

let may_end () =
  Lock.protect lock (fun () ->
      let ends = Atomic.get orders = [] && (!ending || !level = Serialized) in
      if ends then thread := Absent;
      ends)

let pause_of misses = Float.min longest_pause (Float.ldexp first_pause (Int.min 10 (misses - hard_rounds)))

let rec serve parker misses =
  take_orders ();
  if Exit_functions.is_ending () then ()
  else if table.count = 0 && Atomic.get windows = 0 then rest parker
  else if look 16 then serve parker 0
  else begin
    if misses >= hard_rounds then ignore (Parker.park_for parker (pause_of misses));
    serve parker (if Atomic.get orders = [] then misses + 1 else 0)
  end

and rest parker =
  match Parker.park_for parker idle with
  | Timed_out when may_end () -> ()
  | Token when !ending && may_end () -> ()
  | _ -> serve parker 0

let main parker = serve parker 0
let () = Exit_functions.on_exit unpark

let start_thread () =
  let parker = Parker.create ~interruptible:false in
  Lock.protect lock (fun () -> thread := Present parker);
  try
    Domain_start.with_signals_masked @@ fun masked ->
    Domain_start.start_apart (Runtime_threads.domain "Weft_mpi") ~masked (fun () -> main parker)
  with exn ->
    Lock.protect lock (fun () -> thread := Absent);
    raise exn

let submit order =
  add order;
  let is_mine () =
    match !thread with
    | Present parker ->
        Parker.unpark parker;
        false
    | Wanted -> false
    | Absent ->
        thread := Wanted;
        true
  in
  if Lock.protect lock is_mine then start_thread ()

(* From any thread, also where a lock is held. A request that is pending has its thread. *)
let submit_cancel p =
  add (Cancel p);
  Lock.do_soon lock unpark

(* --- the fiber --- *)

let make ~what ~cancellable keep =
  let status = Array.make Raw.status_words 0 in
  let outcome = Job.pending () in
  { what; keep; cancellable; request = Raw.no_request; status; outcome; reason = None }

let give_up p exn =
  if not p.cancellable then settle p (raised exn)
  else begin
    if p.reason = None then p.reason <- Some exn;
    submit_cancel p
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

(* --- windows --- *)

let open_window () =
  Atomic.incr windows;
  submit (Call ignore)

let close_window () = Atomic.decr windows

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
  ending := true;
  Lock.do_soon lock unpark
