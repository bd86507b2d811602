module Deque_memory = Weft_platform.Deque_memory
module Tsc = Weft_platform.Tsc
module Poll = Weft_scheduler.Poll
module Deque = Weft_scheduler.Deque

module Stage = struct
  type ('a, 'b) t =
    | Parallel : ('a -> 'b) -> ('a, 'b) t
    | Serial : ('a -> 'b) -> ('a, 'b) t
    | In_order : ('a -> 'b) -> ('a, 'b) t
    | Then : ('a, 'b) t * ('b, 'c) t -> ('a, 'c) t

  let parallel f = Parallel f
  let serial f = Serial f
  let in_order f = In_order f
  let ( >>> ) s t = Then (s, t)
end

(* --- items --- *)

(* [passes] and [opens] have one gate per stage in order; the next item passes the gates that this one
   opens. *)
type item = { index : int; passes : Gate.t array; opens : Gate.t array }

(* [Stopped] means that a failure is noted already. *)
let note exit item exn =
  let backtrace = Printexc.get_raw_backtrace () in
  if exn != Uncaught.Stopped then Early_exit.fail exit item.index exn backtrace

let check exit item = if not (Early_exit.may_run exit item.index) then raise_notrace Uncaught.Stopped

(* The function that a stage applies to each item, with the state of the stage in this pipeline. [ordered]
   counts the stages in order, and [last_gates] gets that of each serial one. *)
let rec start : type a b.
    Early_exit.t -> last_gates:Gate.t Atomic.t list ref -> int ref -> (a, b) Stage.t -> item -> a -> b =
 fun exit ~last_gates ordered -> function
  | Parallel f ->
      fun item x ->
        check exit item;
        f x
  | Serial f -> (
      let last = Atomic.make (Gate.opened ()) in
      last_gates := last :: !last_gates;
      fun item x ->
        check exit item;
        let mine = Gate.shut () in
        let before = Atomic.exchange last mine in
        match
          Gate.pass before;
          check exit item;
          f x
        with
        | y ->
            Gate.unlock mine;
            y
        | exception exn ->
            note exit item exn;
            Gate.unlock mine;
            raise_notrace Uncaught.Stopped)
  | In_order f ->
      let k = !ordered in
      incr ordered;
      fun item x ->
        check exit item;
        Gate.pass item.passes.(k);
        check exit item;
        let y = f x in
        Gate.unlock item.opens.(k);
        y
  | Then (s, t) ->
      let s = start exit ~last_gates ordered s in
      let t = start exit ~last_gates ordered t in
      fun item x -> t item (s item x)

(* --- the pipeline --- *)

type 'a t = {
  producer : unit -> 'a option;
  work : item -> 'a -> unit;
  ordered : int;
  last_gates : Gate.t Atomic.t list; (* of each serial stage *)
  exit : Early_exit.t;
  group : Task_group.t;
  tokens : int;
  free : int Atomic.t;
  ended : bool Atomic.t;
  answers : Task_effects.t; (* told when the pipeline has ended *)
  (* For the holder of the baton: *)
  mutable admitted : int;
  mutable gates : Gate.t array; (* the gates that the next item passes *)
  policy : Baton_policy.t;
  again : unit -> unit; (* [turns] as the holder of the baton and a token *)
}

(* --- while the baton is kept --- *)

(* In ticks: some ten microseconds. Thieves leave a kept baton alone for as long. *)
let soon = Grain.worth_sharing

(* Whether the next item would have to wait for the one before it. *)
let would_wait t =
  Array.exists (fun g -> not (Gate.is_open g)) t.gates
  || List.exists (fun last -> not (Gate.is_open (Atomic.get last))) t.last_gates

let rec wait_a_little t ~since =
  if would_wait t then begin
    let waited = Tsc.now () - since in
    if waited >= 0 && waited < soon then begin
      Domain.cpu_relax ();
      wait_a_little t ~since
    end
    else Baton_policy.surprise t.policy
  end

(* An item that has to wait is suspended, and then so are all that follow it. If the one ahead lies in this
   worker's deque, it goes on only if this fiber gives way. *)
let wait_for_items_ahead t =
  if would_wait t then begin
    if not (Current_worker.has_no_jobs ()) then Poll.yield ();
    wait_a_little t ~since:(Tsc.now ())
  end

let produce t =
  if not (Early_exit.may_run t.exit t.admitted) then None
  else
    (* With nothing in hand, it is time to give way. *)
    try
      Current_worker.poll ();
      if Baton_policy.keeps t.policy then wait_for_items_ahead t;
      (* An item ahead may have failed. *)
      if Early_exit.may_run t.exit t.admitted then t.producer () else None
    with exn ->
      Early_exit.fail t.exit t.admitted exn (Printexc.get_raw_backtrace ());
      None

let admit t =
  let opens = if t.ordered = 0 then [||] else Array.init t.ordered (fun _ -> Gate.shut ()) in
  let item = { index = t.admitted; passes = t.gates; opens } in
  t.admitted <- t.admitted + 1;
  t.gates <- opens;
  item

let carry t item x =
  try t.work item x
  with exn ->
    note t.exit item exn;
    Array.iter Gate.unlock item.opens

(* --- the baton --- *)

type baton = At_rest | Passed of unit Job.t | Kept

(* A turn that gets no token leaves the baton at rest. A turn that is cancelled at the fork keeps the baton
   and the token. *)
let pass_baton t =
  if Atomic.fetch_and_add t.free (-1) <= 0 then At_rest
  else
    match if Baton_policy.keeps t.policy then Deferred_rest.async t.again else Fork_join.async t.again with
    | job ->
        ignore (Forward_effects.await ~first:false job (Task_effects.waiter t.answers) : bool);
        Passed job
    | exception exn ->
        Early_exit.fail t.exit max_int exn (Printexc.get_raw_backtrace ());
        Kept

let finish t =
  Atomic.set t.ended true;
  Task_effects.tell t.answers

(* Takes the baton back only if it lies at the bottom of the deque. Otherwise, later jobs lie below it: items
   whose gates this one has opened, or jobs of stages. These come first, and the baton after them. *)
let take_back = function
  | At_rest -> false
  | Passed job -> Deque.pop_if (Deque_memory.current ()) (Job.T job)
  | Kept -> true

(* Gives the token back; whether the caller has the baton then, with that token. *)
let release t =
  let was = Atomic.fetch_and_add t.free 1 in
  if was = t.tokens - 1 then finish t;
  was < 0

(* Produces one item and carries it through, if there is one; whether the caller then has the baton and a
   token. *)
let turn t =
  Baton_policy.next t.policy;
  match produce t with
  | None ->
      ignore (release t);
      false
  | Some x ->
      let item = admit t in
      let baton = pass_baton t in
      carry t item x;
      let taken_back = take_back baton in
      release t || taken_back

let rec turns t = if turn t then turns t

(* [turns] in a task of its own. If the group is stopped already, nothing more is produced, but the token must
   be given back: [turns] does so, too. *)
let turns_of_task t =
  try Task_group.enter t.group (fun () -> turns t)
  with exn ->
    Early_exit.fail t.exit max_int exn (Printexc.get_raw_backtrace ());
    turns t

(* Tasks carry all items. The caller's fiber carries none: it performs the effects of the tasks. *)
let launch t =
  let job = Fork_join.task t.again in
  ignore (Forward_effects.await ~first:false job (Task_effects.waiter t.answers) : bool);
  try Fork_join.start job
  with exn ->
    (* The caller is cancelled. *)
    Early_exit.fail t.exit max_int exn (Printexc.get_raw_backtrace ());
    finish t

(* No item may outlast the call. If something ends the wait (a cancellation, the pool's end), it stops the
   items, and the call waits until they have ended. *)
let wait_for_the_end t =
  let cancel exn =
    Early_exit.fail t.exit max_int exn (Printexc.get_callstack 0);
    Task_group.stop t.group exn
  in
  Task_effects.wait t.answers ~what:"Weft.pipeline" ~cancel ~over:(fun () -> Atomic.get t.ended)

(* So many that each domain can work on one item while some wait for their turn. *)
let default_tokens ~workers = 4 * workers

let run ~who ?tokens producer stage =
  (match tokens with
  | Some n when n < 1 -> invalid_arg (Printf.sprintf "%s: tokens must be at least 1, not %d" who n)
  | _ -> ());
  Current_worker.in_pool @@ fun () ->
  let workers = Current_worker.workers () in
  (* An explored or profiled pool has one domain, and nothing there may depend on the clock. *)
  let policy = Baton_policy.make ~always_pass:(workers = 1 || Current_worker.is_profiled ()) () in
  let tokens = match tokens with Some n -> n | None -> default_tokens ~workers in
  let exit = Early_exit.start All and ordered = ref 0 and last_gates = ref [] in
  let work = start exit ~last_gates ordered stage in
  let ordered = !ordered in
  let gates = Array.init ordered (fun _ -> Gate.opened ()) in
  let free = Atomic.make (tokens - 1) and bound = Locals.current () in
  let rec t =
    {
      producer;
      work;
      ordered;
      last_gates = !last_gates;
      exit;
      group = Task_group.make ();
      tokens;
      free;
      ended = Atomic.make false;
      answers = Task_effects.create ();
      admitted = 0;
      gates;
      policy;
      again = (fun () -> Locals.within_all bound (fun () -> turns_of_task t));
    }
  in
  launch t;
  wait_for_the_end t;
  Early_exit.check exit

let collect ~who ?tokens producer stage =
  let results = ref [] in
  let keep = Stage.in_order (fun y -> results := y :: !results) in
  run ~who ?tokens producer Stage.(stage >>> keep);
  List.rev !results
