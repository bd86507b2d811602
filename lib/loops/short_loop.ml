(* Outside of pools, and where time is measured, a worker seems to be preempted always. *)
let[@inline] jobs deque = if Deque.is_preempt_requested deque then -1 else Deque.size deque

(* Of a pool, where time is not measured. *)
let[@inline] workers () = Array.length (Current_worker.worker ()).parts.workers

let[@inline] is_short ~jobs known code start finish =
  let d = finish - start in
  d > 0 && start < finish && Known_cost.is_short known code d && jobs >= 0 && (not !Trace_hooks.on)
  && jobs >= workers () / 2

let[@inline] may_be_deferred ~jobs known code start finish =
  jobs = 0 && (not !Trace_hooks.on) && Deferred_rest.may_be_short known code start finish && workers () > 1

let[@inline] goes_on deque ~alone =
  (not (Deque.is_preempt_requested deque)) && (alone || not (Deque.is_empty deque))

type 'body t = {
  body : 'body;
  run_rest : 'body -> int -> int -> int; (* as a loop of unknown cost: see [Loop.block_found] *)
  finish : int;
  alone : bool; (* in a pool of one *)
  mutable last : int; (* of the running block *)
  mutable until : int; (* the last index of the loop's own, so far *)
  mutable forked : unit Job.t option; (* what follows that, if the fiber was suspended *)
}

let promote t context =
  if t.last < t.finish && Option.is_none t.forked then begin
    let next = t.last + 1 in
    let run () = ignore (t.run_rest t.body next t.finish : int) in
    let j = Job.fork context run in
    t.until <- t.last;
    t.forked <- Some j;
    Promotion.queue j
  end

(* These stop before the end where the worker is preempted, or thieves have emptied its deque. If the fiber
   moves, the deque is that of the worker it left; it tells a little less. *)

let largest = 64

(* [last] is written where [until] was read, before the call. For a function may begin with a poll, where the
   runtime may call a finaliser, and if that waits, the loop is promoted: then what comes after [last] is no
   longer its own. *)
let rec blocks t deque body first last =
  body first last;
  if last < t.until && goes_on deque ~alone:t.alone then begin
    let n = Int.min largest ((last - first + 1) * 16) in
    let next = if t.until - last < n then t.until else last + n in
    t.last <- next;
    blocks t deque body (last + 1) next
  end

(* Each index is a block of its own. Four times the same, since a look at the deque is much of what an index
   costs. *)
let rec one_by_one t deque body i =
  body i;
  if i < t.until then begin
    t.last <- i + 1;
    body (i + 1);
    if i + 1 < t.until then begin
      t.last <- i + 2;
      body (i + 2);
      if i + 2 < t.until then begin
        t.last <- i + 3;
        body (i + 3);
        if i + 3 < t.until && goes_on deque ~alone:t.alone then begin
          t.last <- i + 4;
          one_by_one t deque body (i + 4)
        end
      end
    end
  end

let[@inline] claim_many t ~after:last =
  let next = if t.finish - last <= largest then t.finish else last + largest in
  t.last <- next;
  t.until <- next

let rec by_many t deque body first =
  let last = t.last in
  Loop.each body first last;
  if Option.is_none t.forked && last < t.finish && goes_on deque ~alone:t.alone then begin
    claim_many t ~after:last;
    by_many t deque body (last + 1)
  end

let few = 16

(* After the first index, it is time to look: that is where long ones begin to show. *)
let[@inline] for_each t deque body start =
  if t.finish - start > few then t.until <- start + few;
  body start;
  if start < t.until && goes_on deque ~alone:t.alone then begin
    t.last <- start + 1;
    one_by_one t deque body (start + 1);
    let last = t.last in
    if last = start + few && last < t.finish && Option.is_none t.forked && goes_on deque ~alone:t.alone then begin
      claim_many t ~after:last;
      by_many t deque body (last + 1)
    end
  end

(* The loop is as long as any, for all we know. *)
let[@inline never] go_on t known code ~size =
  let left = t.finish - t.last and before = Tsc.now () in
  let n = t.run_rest t.body (t.last + 1) t.finish in
  let ticks = Tsc.now () - before in
  if n < size && ticks / left * size > Grain.long * 2 then Known_cost.distrust known code

let[@inline never] failed t exn =
  match t.forked with
  | Some j -> Fork_join.left_failed j exn
  | None -> Printexc.raise_with_backtrace exn (Printexc.get_raw_backtrace ())

let[@inline never] join known code j =
  Known_cost.distrust known code;
  Fork_join.join j

let[@inline] ended t known code outer ~size =
  Loops.set (Current_worker.deque ()) outer;
  match t.forked with
  | Some j -> join known code j
  | None -> if t.last < t.finish then go_on t known code ~size

let[@inline never] otherwise ~jobs deque known code (way : _ Deferred_loop.way) body start finish =
  if may_be_deferred ~jobs known code start finish then
    Deferred_loop.over way deque known code body start finish
  else begin
    let n = way.run_rest body start finish in
    if start < finish then Known_cost.found known code n
  end

let[@inline] is_one deque (start : int) finish =
  start = finish && Deque_memory.id deque >= 0 && not !Trace_hooks.on

let blocks_found body start finish = Loop.block_found ~code:(Closure.code body) ~start ~finish body

let of_blocks : _ Deferred_loop.way =
  {
    one = (fun body i -> body i i);
    run = (fun body first last -> body first last);
    run_rest = blocks_found;
    singly = 0;
    growth = 4;
  }

let by_blocks ~code ~start ~finish body =
  let deque = Current_worker.deque () and known = Known_cost.of_code code in
  let jobs = jobs deque in
  if not (is_short ~jobs known code start finish) then
    otherwise ~jobs deque known code of_blocks body start finish
  else begin
    let outer = Loops.here deque in
    let t =
      { body; run_rest = blocks_found; finish; alone = jobs = 0; last = start; until = finish; forked = None }
    in
    Loops.enter deque ~outer t promote;
    match blocks t deque body start start with
    | () -> ended t known code outer ~size:(finish - start + 1)
    | exception exn ->
        Loops.set (Current_worker.deque ()) outer;
        failed t exn
  end

let each_found body start finish =
  Loop.block_found ~code:(Closure.code body) ~start ~finish (fun first last -> Loop.each body first last)

let of_indices : _ Deferred_loop.way =
  { one = (fun body i -> body i); run = Loop.each; run_rest = each_found; singly = 32; growth = 2 }

let each ~start ~finish body =
  let deque = Current_worker.deque () and code = Closure.code body in
  let known = Known_cost.of_code code and jobs = jobs deque in
  if is_one deque start finish then begin
    Current_worker.poll ();
    body start
  end
  else if not (is_short ~jobs known code start finish) then
    otherwise ~jobs deque known code of_indices body start finish
  else begin
    let outer = Loops.here deque in
    let t =
      { body; run_rest = each_found; finish; alone = jobs = 0; last = start; until = finish; forked = None }
    in
    Loops.enter deque ~outer t promote;
    match for_each t deque body start with
    | () -> ended t known code outer ~size:(finish - start + 1)
    | exception exn ->
        Loops.set (Current_worker.deque ()) outer;
        failed t exn
  end
