type task = {
  mutable steps : step list;
  mutable run : int;
  mutable pending : int;
  mutable work : int;
  mutable number : int;
  mutable writing : int;
}

and step = Run of int | Fork of task | Join of task | Post of event | Wait of event | Idle of int
and event = int

(* A plain counter: two workers of a session that add at once may count one step less, which does not
   matter. *)
type t = { mutable grain : int; mutable kept : int; mutable doubles_at : int; mutable cut : bool }

(* Steps: five words each, more or less. *)
let many = 65_536
let too_many = 40 * many
let create ~grain = { grain; kept = 0; doubles_at = many; cut = false }
let task () = { steps = []; run = 0; pending = 0; work = 0; number = 0; writing = 0 }
let grain t = t.grain
let is_cut t = t.cut

(* --- recording --- *)

let run task ticks =
  task.run <- task.run + ticks;
  task.work <- task.work + ticks

let add t task step =
  if not t.cut then begin
    t.kept <- t.kept + 1;
    if t.kept > t.doubles_at then begin
      t.grain <- 2 * t.grain;
      t.doubles_at <- t.doubles_at + many
    end;
    if t.kept > too_many then t.cut <- true;
    if task.run > 0 then begin
      task.steps <- Run task.run :: task.steps;
      task.run <- 0
    end;
    task.steps <- step :: task.steps
  end

type mark = {
  steps_before : step list;
  run_before : int;
  work_before : int;
  pending_before : int;
  kept : int;
}

let fork (t : t) task child =
  let mark =
    {
      steps_before = task.steps;
      run_before = task.run;
      work_before = task.work;
      pending_before = task.pending;
      kept = t.kept;
    }
  in
  add t task (Fork child);
  task.pending <- task.pending + 1;
  mark

let close (t : t) task mark child ~own =
  if own then task.work <- task.work + child.work;
  task.pending <- task.pending - 1 + child.pending;
  let work = task.work - mark.work_before in
  if work < t.grain && task.pending = mark.pending_before then begin
    task.steps <- mark.steps_before;
    task.run <- mark.run_before + work;
    if not t.cut then t.kept <- min t.kept mark.kept
  end
  else begin
    add t task (Join child);
    (* An open step stays open, for all forks around this one. *)
    child.pending <- 0
  end

let join t task child =
  add t task (Join child);
  task.pending <- task.pending + 1

let numbered = Atomic.make 0

let post t task =
  let event = Atomic.fetch_and_add numbered 1 in
  add t task (Post event);
  task.pending <- task.pending + 1;
  event

let wait t task event =
  add t task (Wait event);
  task.pending <- task.pending + 1

let idle t task ticks =
  if ticks > 0 then begin
    add t task (Idle ticks);
    task.pending <- task.pending + 1
  end

let number event = event
