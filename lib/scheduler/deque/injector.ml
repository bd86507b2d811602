(* Plain fields: workers that take at once may change the phase twice, and one part gets less for once. [since]:
   when the phase began; 0: with the next job that is taken while both parts have some. *)
type 'a t = {
  ready : 'a Saturn.Queue.t;
  turns : 'a Saturn.Queue.t;
  mutable turns_first : bool;
  mutable since : int;
}

(* Nanoseconds. *)
let ready_time = 10_000_000
let turns_time = 5_000_000

let create () =
  { ready = Saturn.Queue.create (); turns = Saturn.Queue.create (); turns_first = false; since = 0 }

let push q x = Saturn.Queue.push q.ready x
let push_turn q x = Saturn.Queue.push q.turns x
let take queue ~nil = try Saturn.Queue.pop_exn queue with Saturn.Queue.Empty -> nil

let take_first first second ~nil =
  let x = take first ~nil in
  if x != nil then x else take second ~nil

let[@inline never] take_in_phase q ~nil =
  let now = Timer_thread.now () in
  if q.since = 0 then q.since <- now
  else if now - q.since > if q.turns_first then turns_time else ready_time then begin
    q.turns_first <- not q.turns_first;
    q.since <- now
  end;
  if q.turns_first then take_first q.turns q.ready ~nil else take_first q.ready q.turns ~nil

let pop q ~nil =
  if Saturn.Queue.is_empty q.turns then take q.ready ~nil
  else if not (Saturn.Queue.is_empty q.ready) then take_in_phase q ~nil
  else begin
    if q.since <> 0 then begin
      q.turns_first <- false;
      q.since <- 0
    end;
    take_first q.turns q.ready ~nil
  end

let is_ready q = not (Saturn.Queue.is_empty q.ready)
let is_empty q = Saturn.Queue.is_empty q.ready && Saturn.Queue.is_empty q.turns
