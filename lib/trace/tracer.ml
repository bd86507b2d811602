open Weft_platform
open Weft_scheduler

external are_active : unit -> bool = "caml_ml_runtime_events_are_active" [@@noalloc]

(* --- the numbers of spans --- *)

let spans = Atomic.make 1
let next_span () = Atomic.fetch_and_add spans 1 land (Wire.ids - 1)

(* --- ticks --- *)

(* Both clocks at one moment: the thread may lose its processor between the readings, which shows, and
   then they are read again. *)
let soon = 500

let rec both_clocks attempts =
  let before = Tsc.now () in
  let time = Timer_thread.now () in
  let after = Tsc.now () in
  if after - before > soon && attempts > 1 then both_clocks (attempts - 1)
  else (before + ((after - before) / 2), time)

(* Converts by how far both clocks have moved since the tracing began. *)
let at_first = ref (0, 0)
let start_clocks () = at_first := both_clocks 20

(* The time of so many ticks, in nanoseconds of the rings' clock. *)
let time_of_ticks () =
  let first_ticks, first_time = !at_first and now, time = both_clocks 5 in
  let ticks_passed = now - first_ticks and passed = time - first_time in
  let length =
    if ticks_passed <= 0 || passed <= 0 then 1. else float_of_int passed /. float_of_int ticks_passed
  in
  fun ticks -> time - int_of_float (float_of_int (now - ticks) *. length)

(* --- workers --- *)

(* [quiet]: for how many jobs nothing is written after one that was; [untold]: how many have come since
   then. Only the worker's own thread uses it. *)
type worker = {
  number : int;
  blocked : Blocked_time.t;
  mutable running : bool;
  mutable fiber : Fiber_id.t; (* that runs, as far as it is known *)
  mutable quiet : int;
  mutable untold : int;
  mutable writes : int;
  mutable since : int; (* when [writes] was last a multiple of [writes_between] *)
  mutable sampled : int; (* when it told its forks at a region last, in ticks *)
}

let make_worker number =
  let blocked = Blocked_time.create () in
  Multicore_magic.copy_as_padded
    {
      number;
      blocked;
      running = false;
      fiber = Fiber_id.unknown;
      quiet = 0;
      untold = 0;
      writes = 0;
      since = 0;
      sampled = 0;
    }

let workers = ref [||]

(* The last one serves all other workers: their counts are not right, which does no harm. *)
let worker n = Array.unsafe_get !workers (if n < Wire.most_workers then n else Wire.most_workers)

(* Nanoseconds between two readings of the clock. An event costs less than 100, so jobs of 10 us are
   written in pairs. *)
let writes_between = 8
let too_often = writes_between * 12_000
let seldom = writes_between * 45_000

let adapt w =
  w.writes <- w.writes + 1;
  if w.writes land (writes_between - 1) = 0 then begin
    let now = Timer_thread.now () in
    let passed = now - w.since in
    w.since <- now;
    if passed < too_often then w.quiet <- min (Wire.most_jobs - 1) ((2 * w.quiet) + 1)
    else if passed > seldom then w.quiet <- w.quiet / 2
  end

(* How many jobs the span that ends now was, if it was one of jobs. *)
let jobs_until_now w =
  let n = if w.running then w.untold + 1 else 0 in
  w.untold <- 0;
  n

(* Says who the fiber is whose number is about to be written, unless that was said not long ago: so it is known
   if the tracing began later, or events were lost. *)
let told_for = 1 lsl 29

let number_of (id : Fiber_id.t) =
  let number = Fiber_id.number id in
  if Fiber_id.is_known id then begin
    let now = Tsc.now () in
    if id.told = 0 || now - id.told > told_for then begin
      Fiber_id.set_told id now;
      Wire.write_note (Fiber { fiber = number; parent = id.parent; place = id.place; name = id.name })
    end
  end;
  number

let fiber () = number_of (Task_name.here ())

(* At the end of a job its fiber is no longer the current one. *)
let last_fiber w =
  let here = Task_name.here () in
  number_of (if Fiber_id.is_known here then here else w.fiber)

(* Looks whether the thread of the job that ends now, or of what it has done so far, stood still. Between
   jobs it may well be blocked, but has a processor whenever it wants one. *)
let look w =
  let b = w.blocked in
  if Blocked_time.look b then
    let blocked = if w.running then Blocked_time.blocked b else 0 and waited = Blocked_time.waited b in
    if blocked + waited > 0 then
      let fiber = if blocked > 0 then last_fiber w else 0 in
      Wire.write_note (Stood { worker = w.number; blocked; waited; passed = Blocked_time.passed b; fiber })

let runs ~worker:number ~from ~resumed =
  let w = worker number in
  if w.running && w.untold < w.quiet && not (Blocked_time.is_due w.blocked) then begin
    w.fiber <- Fiber_id.unknown;
    w.untold <- w.untold + 1
  end
  else begin
    look w;
    let jobs = jobs_until_now w in
    w.running <- true;
    w.fiber <- Fiber_id.unknown;
    adapt w;
    Wire.write_run ~worker:number ~jobs ~from ~resumed
  end

let stops w =
  let jobs = jobs_until_now w in
  w.running <- false;
  w.fiber <- Fiber_id.unknown;
  jobs

let stops_now number =
  let w = worker number in
  look w;
  stops w

let searches ~worker ~at_hand = Wire.write_search ~worker ~jobs:(stops_now worker) ~at_hand
let parks ~worker = Wire.write_park ~worker ~jobs:(stops_now worker)
let unparked ~worker = Wire.write_unparked ~worker ~jobs:(stops_now worker)

(* Where many share one record, none has a thread. *)
let is_alone number = number >= 0 && number < Wire.most_workers

let joined ~worker:number ~index ~pool ~forks ~returned =
  let w = worker number in
  ignore (stops w);
  if is_alone number then Blocked_time.begin_ w.blocked;
  Wire.write_note (Joined { worker = number; index; forks; pool; returned })

(* Who joined before the tracing began is seen first. *)
let seen ~worker:number ~index ~pool ~forks =
  if is_alone number then Blocked_time.begin_once (worker number).blocked;
  Wire.write_note (Seen { worker = number; index; forks; pool })

(* Who has retired may be a worker in another domain by now: only that thread may touch its clock. *)
let left ~worker:number ~index ~pool ~forks ~retired =
  let w = worker number in
  if not retired then look w;
  let jobs = stops w in
  if not retired then Blocked_time.end_ w.blocked;
  Wire.write_note (Left { worker = number; index; forks; pool; retired; jobs })

(* The worker that the calling thread is. *)
let here () =
  let number = Deque_memory.id (Deque_memory.current ()) in
  if is_alone number then Some (worker number) else None

(* A stretch of a job that ends, or begins: it says where in a long job the thread was blocked. *)
let look_here () = match here () with Some w -> look w | None -> ()

(* The thread itself has waited, which is said otherwise. *)
let look_away () = match here () with Some w -> ignore (Blocked_time.look w.blocked : bool) | None -> ()

(* --- the rest --- *)

let begins note =
  let id = next_span () in
  Wire.write_note (note id);
  id

(* Workers seldom tell how much they have forked. Where regions begin and end, they tell it too, so that the
   forks of a region are known; but not more often than this, in ticks. *)
let between_samples = 1 lsl 20

let sample () =
  match here () with
  | Some w ->
      let now = Tsc.now () in
      if now - w.sampled > between_samples then begin
        w.sampled <- now;
        Option.iter Worker.tell_again (Worker.current ())
      end
  | None -> ()

let region_begins name =
  look_here ();
  sample ();
  let fiber = fiber () in
  begins (fun id -> Wire.Region_begins { id; fiber; name })

let region_ends id =
  look_here ();
  sample ();
  Wire.write_end Region id

let wait_begins ~what ~about:({ number; name; place; _ } : Trace_hooks.about) =
  look_here ();
  let wait = next_span () and id = Task_name.here () in
  let fiber = number_of id in
  Wire.write_note (Wait_begins { id = wait; about = number; fiber; place; what; name });
  Fiber_id.set_wait id wait;
  wait

(* It goes on, or has just begun. *)
let fiber_runs id = match here () with Some w -> w.fiber <- id | None -> ()

let wait_ends wait =
  look_away ();
  let id = Task_name.here () in
  fiber_runs id;
  Fiber_id.set_wait id 0;
  Wire.write_end Wait wait

(* Numbers of waits begin at 1, but come again: 0 may be one. Then its end is told by nobody. *)
let woke (id : Fiber_id.t) =
  if id.wait > 0 then begin
    let by = fiber () in
    Wire.write_note (Woken { wait = id.wait; by })
  end

let block_ended ~first ~last ~began ~ended ~alone ~place =
  look_here ();
  let time = time_of_ticks () and fiber = fiber () in
  Wire.write_note (Block { first; last; began = time began; ended = time ended; alone; fiber; place })

(* --- on and off --- *)

let lock = Mutex.create ()

let begin_listening () =
  Mutex.protect lock @@ fun () ->
  if not !Trace_hooks.on then begin
    Own_rings.made ();
    if Array.length !workers = 0 then workers := Array.init (Wire.most_workers + 1) make_worker;
    start_clocks ();
    Array.iter (fun w -> Blocked_time.forget w.blocked) !workers;
    Trace_hooks.on := true
  end

let end_listening () = Mutex.protect lock @@ fun () -> Trace_hooks.on := are_active ()

let look () =
  match (are_active (), !Trace_hooks.on) with
  | true, false -> begin_listening ()
  | false, true -> end_listening ()
  | true, true | false, false -> ()

let listener : Trace_hooks.listener =
  {
    joined;
    seen;
    left;
    runs;
    searches;
    parks;
    unparked;
    fiber_begins = fiber_runs;
    wakes = Wire.write_wake;
    wait_begins;
    wait_ends;
    woke;
    block_ended;
    batch_ended =
      (fun ~structure ~size ~parallel ~nanoseconds ->
        Wire.write_note (Batch { structure; size; parallel; nanoseconds }));
    call_begins = (fun () -> begins (fun id -> Call_begins { id }));
    call_ends = Wire.write_end Call;
    cancelled = (fun exn -> Wire.write_note (Cancelled (Printexc.to_string exn)));
    region_begins;
    region_ends;
    instant = (fun name -> Wire.write_note (Instant name));
    look;
  }

let is_on () = !Trace_hooks.on

let start () =
  Runtime_events.start ();
  look ()

let dump path =
  look ();
  is_on ()
  && begin
       Own_rings.dump path;
       true
     end

let variable = "WEFT_TRACE"

(* OCaml would end the program; and a program's children inherit the variable, in whatever folder they are. *)
let start_if_writable folder =
  match Unix.access folder [ W_OK; X_OK ] with
  | () -> Runtime_events.start ()
  | exception Unix.Unix_error (error, _, _) ->
      Say.line "%s=ring is ignored: no file can be made in %s: %s" variable (String.escaped folder)
        (Unix.error_message error)

let start_if_asked () =
  match Sys.getenv_opt variable with
  | None | Some "" -> ()
  | Some "ring" -> start_if_writable (Own_rings.folder_now ())
  | Some other -> Say.line "%s=%s is ignored: it must be ring" variable (String.escaped other)

let () =
  Trace_hooks.install listener;
  start_if_asked ();
  look ()
