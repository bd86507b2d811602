(* Plain fields: workers that take at once may change the phase twice, and one part gets less for once. [since]:
   when the phase began; 0: with the next job that is taken while both parts have some. *)
type 'a t = {
  ready : 'a Saturn.Queue.t;
  yielded : 'a Saturn.Queue.t;
  mutable yielded_first : bool;
  mutable since : int;
}

(* Nanoseconds. *)
let ready_time = 10_000_000
let yielded_time = 5_000_000

let create () =
  { ready = Saturn.Queue.create (); yielded = Saturn.Queue.create (); yielded_first = false; since = 0 }

let push q x = Saturn.Queue.push q.ready x
let push_yielded q x = Saturn.Queue.push q.yielded x
let take queue ~nil = try Saturn.Queue.pop_exn queue with Saturn.Queue.Empty -> nil

let take_first first second ~nil =
  let x = take first ~nil in
  if x != nil then x else take second ~nil

let[@inline never] take_in_phase q ~nil =
  let now = Timer_thread.now () in
  if q.since = 0 then q.since <- now
  else if now - q.since > if q.yielded_first then yielded_time else ready_time then begin
    q.yielded_first <- not q.yielded_first;
    q.since <- now
  end;
  if q.yielded_first then take_first q.yielded q.ready ~nil else take_first q.ready q.yielded ~nil

let pop q ~nil =
  if Saturn.Queue.is_empty q.yielded then take q.ready ~nil
  else if not (Saturn.Queue.is_empty q.ready) then take_in_phase q ~nil
  else begin
    if q.since <> 0 then begin
      q.yielded_first <- false;
      q.since <- 0
    end;
    take_first q.yielded q.ready ~nil
  end

let is_ready q = not (Saturn.Queue.is_empty q.ready)
let is_empty q = Saturn.Queue.is_empty q.ready && Saturn.Queue.is_empty q.yielded
