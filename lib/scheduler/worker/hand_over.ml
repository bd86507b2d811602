open Worker

(* Nanoseconds. *)
let hand_over_after = 2_000_000
let start_next_after = 20_000_000

(* Nanoseconds. Looking through a long deque takes time: the next look comes after some twenty times as
   long, at most after a tenth of a second. That is reckoned by the number of jobs: by the clock, a
   worker that lost its processor during a look would not look for seconds. *)
let pause_per_job = 1_000
let longest_pause = 100_000_000

(* Jobs. *)
let most_stale = 64
let most_eldest = 64

let may_start w ~now =
  let (Job.T j as task) = w.started in
  task == Job.nil || Job.is_settled j || now - w.started_at > start_next_after

(* It may be one that nobody can await any more, and that must become garbage to end. *)
let forget_started w ~now = if may_start w ~now then w.started <- Job.nil

(* What to do with a job that has left the deque. *)
let place w ~now (Job.T j as task) =
  if Job.is_resumption j then leave_to_all w task
  else if Job.is_unstarted_task j && may_start w ~now then begin
    w.started <- task;
    w.started_at <- now;
    leave_to_all w task
  end
  else if not (Job.is_stale j) then push_only w task

(* All jobs leave the deque, and those that stay are pushed back in their order. *)
let sort_out w ~now =
  let rec take_out taken =
    let task = Deque.pop w.deque ~nil:Job.nil in
    if task == Job.nil then taken else take_out (task :: taken)
  in
  let was_eldest = w.eldest = Deque_memory.top w.deque in
  List.iter (place w ~now) (take_out []);
  (* The eldest job has another index now. *)
  if was_eldest then w.eldest <- Deque_memory.top w.deque

(* A predicate for one look: whether a job is a reason to sort out the deque. It is ready, or it is the 65th
   stale entry: so many make each look long. *)
let is_wanted w ~now =
  let stale = ref 0 in
  let may_start = may_start w ~now in
  fun (Job.T j) ->
    Job.is_resumption j
    || (may_start && Job.is_unstarted_task j)
    || Job.is_stale j
       && begin
            incr stale;
            !stale > most_stale
          end

(* Up to the first job that stays. *)
let rec hand_over_eldest w ~now left =
  let wanted = is_wanted w ~now and eldest = ref None in
  ignore
    (Deque.exists w.deque (fun (Job.T j as task) ->
         eldest := Some (Job.is_stale j || wanted task);
         true));
  if left > 0 && !eldest = Some true then begin
    let task = Deque.take_eldest w.deque ~nil:Job.nil in
    if task != Job.nil then place w ~now task;
    hand_over_eldest w ~now (left - 1)
  end

let hand_over w =
  let now = Timer_thread.now () in
  forget_started w ~now;
  (not (Deque.is_empty w.deque))
  && now - w.handed_at > hand_over_after
  && begin
       if Deque.size w.deque > long then hand_over_eldest w ~now most_eldest;
       if Deque.exists w.deque (is_wanted w ~now) then sort_out w ~now;
       w.handed_at <- Timer_thread.now () + min longest_pause (pause_per_job * Deque.size w.deque);
       let is_something = not (Injector.is_empty w.parts.injector) in
       if is_something then wake_up w.parts.home;
       is_something
     end

(* Nanoseconds. *)
let longest_wait = 200_000_000
let is_overdue w ~now = now - w.eldest_since > longest_wait

(* A fork stays until it is overdue. *)
let leave w ~now (Job.T j as task) =
  if Job.is_unstarted_fork j && not (is_overdue w ~now) then push_only w task
  else if not (Job.is_stale j) then begin
    if Job.is_unstarted_fork j then w.eldest_since <- now;
    leave_to_all w task
  end

(* The oldest first, in the order in which thieves would take them. *)
let rec leave_all w ~now left =
  if left > 0 then begin
    let task = Deque.take_eldest w.deque ~nil:Job.nil in
    if task != Job.nil then leave w ~now task;
    leave_all w ~now (left - 1)
  end

(* Other workers may never steal these jobs if they always find jobs of their own, but all of them look
   into the injector now and then. The pool is not idle while a job is on its way between the queues; a worker
   that fell asleep meanwhile is woken. *)
let hand_over_before_sleep w =
  w.started <- Job.nil;
  if not (Deque.is_empty w.deque) then begin
    let now = Timer_thread.now () in
    Sleep.while_moving_jobs w.parts.sleepers (fun () -> leave_all w ~now (Deque.size w.deque));
    Sleep.wake_one w.parts.sleepers ignore;
    hurry w.parts
  end
