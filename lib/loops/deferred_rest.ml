(* After which index the rest begins: after [finish], if there is none. *)
type range = { mutable after : int }

type t = {
  job : unit Job.t;
  range : range;
  known : Known_cost.t;
  code : int;
  start : int;
  finish : int;
  mutable counted_from : int; (* since the last verdict *)
  mutable counted_since : int;
  mutable slow : int; (* how often it seemed to be long *)
  mutable joined : bool;
}

let[@inline] claimed t = t.range.after

let[@inline] push deque job =
  if Deque.is_full deque then Deque.make_room deque;
  Deque.push_deferred deque (Job.T job);
  Worker.announce_deferred (Worker.of_deque deque)

let async run =
  (* Nothing must fail after the push. *)
  Stack_room.(ensure call);
  let deque = Deque_memory.current () in
  let job = Job.task (Spawn_context.here deque) run in
  if Deque.is_full deque || not (Deque.is_empty deque) then Fork_join.async run
  else begin
    Deque_memory.count_fork deque;
    push deque job;
    job
  end

let make deque known code ~start ~until ~finish run =
  let range = { after = until } in
  let job = Job.fork (Spawn_context.here deque) (fun () -> run (range.after + 1)) in
  {
    job;
    range;
    known;
    code;
    start;
    finish;
    counted_from = start;
    counted_since = Tsc.now ();
    slow = 0;
    joined = false;
  }

let offer t =
  let deque = Deque_memory.current () in
  Deque_memory.count_fork deque;
  if claimed t < t.finish then push deque t.job

let[@inline] is_left t = claimed t < t.finish && not t.joined
let job t = t.job
let take_back t = Deque.pop_if (Deque_memory.current ()) (Job.T t.job)

let join t =
  if is_left t then begin
    t.joined <- true;
    if take_back t then t.job.run () else Fork_join.join t.job
  end

let failed t exn =
  let backtrace = Printexc.get_raw_backtrace () in
  if is_left t then Fork_join.left_failed t.job exn else Printexc.raise_with_backtrace exn backtrace

(* Whether the loop will take longer than a steal, by what has run since the last verdict. An interrupt may
   take as long: so two verdicts must say so. *)
let seems_long t =
  let now = Tsc.now () in
  let ticks = now - t.counted_since in
  ticks > Grain.long / 8
  && begin
       let ran = claimed t - t.counted_from + 1 and all = t.finish - t.start + 1 in
       t.counted_since <- now;
       t.counted_from <- claimed t + 1;
       (ticks > Grain.worth_sharing || ticks * all > Grain.worth_sharing * ran)
       && begin
            t.slow <- t.slow + 1;
            let is_long = t.slow > 1 in
            if is_long then Known_cost.was_long t.known t.code (t.finish - t.start);
            is_long
          end
     end

(* [after] is written before anybody sees the job again: so what is claimed here is never run by the job. *)
let claim t n =
  let deque = Deque_memory.current () and after = claimed t in
  if
    after < t.finish
    && (not (Deque.is_preempt_requested deque))
    && (not (seems_long t))
    && Deque.pop_if deque (Job.T t.job)
  then begin
    let last = if t.finish - after <= n then t.finish else after + n in
    t.range.after <- last;
    if last < t.finish then push deque t.job;
    last
  end
  else after

let may_be_short known code start finish =
  let d = finish - start in
  d > 0 && d < 0x10_0000 && Known_cost.may_be_short known code d
