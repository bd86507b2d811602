type t = {
  body : int -> int -> unit;
  exit : Early_exit.t;
  chunk : int; (* the greatest block; 0: chosen by time *)
  leaf : int;
  start : int;
  share : int; (* the whole range divided by the number of workers; 0: the left part always comes first *)
  alone : bool; (* the pool has one worker: only extra workers steal, hardly ever *)
  mutable waits : bool; (* some body has waited *)
}

(* The part that one fiber runs. *)
type part = {
  t : t;
  finish : int;
  mutable at : int; (* where the running block starts *)
  mutable left : int; (* iterations after that block; 0 if they are shared *)
  mutable shared : Rest.t option;
}

(* [steadily] and [by_time] run a part in blocks, from [first] on. They return whether they stopped
   before its end, because thieves want work and more than a block is left: less is not worth a steal.
   Then [at] says where. The work between blocks counts, since blocks may be tiny: hence local variables,
   and values that are read before the loop. If the fiber moves, the deque is that of the worker it left;
   it tells a little less. *)

(* In blocks of [b]. *)
let rec steadily body limit deque part first finish b =
  let next = ref first in
  (* All blocks but the last. *)
  while
    finish - !next >= b
    && part.left > 0
    && (part.at <- !next;
        not (Deque.is_empty deque))
    && (not (Deque.is_preempt_requested deque))
    && Early_exit.is_within limit !next
  do
    part.left <- finish - !next - (b - 1);
    body !next (!next + (b - 1));
    next := !next + b
  done;
  part.at <- !next;
  if Deque.is_preempt_requested deque then begin
    Current_worker.poll ();
    steadily_on body limit (Current_worker.deque ()) part !next finish b
  end
  else steadily_on body limit deque part !next finish b

(* Where the blocks stop, the rest is split. *)
and steadily_on body limit deque part next finish b =
  if part.left = 0 || not (Early_exit.is_within limit next) then false
  else if finish - next >= b then Deque.is_empty deque || steadily body limit deque part next finish b
  else begin
    part.left <- 0;
    body next finish;
    false
  end

(* The size for the blocks after one that has run. A block cut short by the end of the range counts if it
   was nearly whole, or took long all the same. *)
let adapted size ~run ~ticks = if run > size / 4 || ticks > Grain.long then Grain.adapt run ~ticks else size

(* In blocks of [!size] at first; later, time decides. *)
let rec by_time t limit part first finish size now =
  Current_worker.poll ();
  if part.left = 0 then false
  else begin
    part.at <- first;
    let b = !size in
    let last = if finish - first < b then finish else first + (b - 1) in
    if finish - first >= b && (not t.alone) && Current_worker.has_no_jobs () then true
    else begin
      part.left <- finish - last;
      t.body first last;
      (* Reading the clock is much of what a short loop costs. *)
      if part.left = 0 && t.alone then false
      else begin
        let after = Tsc.now () in
        size := adapted b ~run:(last - first + 1) ~ticks:(after - now);
        if part.left > 0 && Early_exit.is_within limit (last + 1) then
          by_time t limit part (last + 1) finish size after
        else false
      end
    end
  end

(* If what is further left counts more, a right part that has stopped must not stop the left one. *)
let both exit left right =
  if not (Early_exit.is_ordered exit) then Fork_join.par left right
  else begin
    let stopped = ref false in
    let right () =
      try right ()
      with Uncaught.Stopped ->
        stopped := true;
        1
    in
    let ends = Fork_join.par left right in
    if !stopped then raise_notrace Uncaught.Stopped;
    ends
  end

(* A failure is noted with the loop, and the part raises [Stopped]: so the fork stops its other side. *)
let failed t at exn backtrace =
  if exn == Uncaught.Stopped || exn == Fiber.sibling_failed then exn
  else begin
    Early_exit.fail t.exit at exn backtrace;
    Uncaught.Stopped
  end

let first_block t = if t.chunk > 0 then t.chunk else 1

(* Takes blocks of the shared rest. *)
let rec help t rest () =
  let deque = Current_worker.deque () in
  let outer = Loops.here deque and limit = Early_exit.limit t.exit and at = ref max_int in
  (* [Rest] has the context of the fiber that joins the helpers. *)
  let promote rest _ = Rest.call rest ~queue:Promotion.queue (help t rest) in
  let loop = Loops.make deque ~outer rest promote in
  let rec blocks size =
    Current_worker.poll ();
    let left = Rest.take rest size in
    if left > 0 then begin
      let run = Int.min size left in
      let first = Rest.first rest ~left in
      if Early_exit.is_within limit first then begin
        at := first;
        let before = Tsc.now () in
        Promotion.enter_again (Current_worker.deque ()) loop;
        t.body first (first + (run - 1));
        let size = if t.chunk > 0 then size else adapted size ~run ~ticks:(Tsc.now () - before) in
        if (not t.alone) && Current_worker.has_no_jobs () then
          Rest.call rest ~queue:(fun j -> Worker.push (Current_worker.worker ()) (Job.T j)) (help t rest);
        blocks size
      end
      else Rest.stop rest
    end
  in
  match blocks (first_block t) with
  | () -> Loops.set (Current_worker.deque ()) outer
  | exception exn ->
      let backtrace = Printexc.get_raw_backtrace () in
      Loops.set (Current_worker.deque ()) outer;
      raise_notrace (failed t !at exn backtrace)

let promote part context =
  part.t.waits <- true;
  if part.left > 0 then begin
    let rest = Rest.make ~here:context ~finish:part.finish ~left:part.left in
    part.shared <- Some rest;
    part.left <- 0;
    Rest.call rest ~queue:Promotion.queue (help part.t rest)
  end

let finish_shared part =
  match part.shared with
  | None -> ()
  | Some rest ->
      help part.t rest ();
      Rest.join_all rest

let end_shared part exn =
  match part.shared with None -> raise_notrace exn | Some rest -> Rest.end_all rest exn

(* After a single iteration nothing is left for others. *)
let run_one t i b =
  match
    let before = Tsc.now () in
    Current_worker.poll ();
    t.body i i;
    adapted b ~run:1 ~ticks:(Tsc.now () - before)
  with
  | b -> b
  | exception exn -> raise_notrace (failed t i exn (Printexc.get_raw_backtrace ()))

(* Returns the block size that was right at the end. Where what is further left counts more, a body that
   waits holds up the iterations to its right. *)
let rec run t first finish b ~steady =
  if not (Early_exit.may_run t.exit first) then b
  else if first = finish then run_one t first b
  else begin
    let deque = Current_worker.deque () and limit = Early_exit.limit t.exit and size = ref b in
    let outer = Loops.here deque in
    let part = { t; finish; at = first; left = finish - first + 1; shared = None } in
    if not (Early_exit.is_ordered t.exit) then Loops.enter deque ~outer part promote;
    match
      let is_wanted =
        if steady then steadily t.body limit deque part first finish b
        else by_time t limit part first finish size (Tsc.now ())
      in
      Loops.set (Current_worker.deque ()) outer;
      if not is_wanted then finish_shared part;
      is_wanted
    with
    | false -> !size
    | true ->
        let first = part.at and b = !size in
        let middle = first + ((finish - first) / 2) in
        let b, _ =
          both t.exit (fun () -> run t first middle b ~steady) (fun () -> run t (middle + 1) finish b ~steady)
        in
        b
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        Loops.set (Current_worker.deque ()) outer;
        end_shared part (failed t part.at exn backtrace)
  end

(* Where this worker begins. It is the same place each time: so in loops that follow each other over the
   same data, every worker finds its part in its own cache. *)
let own_place t = t.start + (t.share * Current_worker.index ())

(* [b] is the block size that was right to the left of here; if this part was stolen, to the left of the
   part that was halved. *)
let rec split t first finish b =
  let d = finish - first in
  if t.chunk > 0 && d < Int.max t.leaf b then run t first finish b ~steady:true
  else if d < t.leaf then run t first finish b ~steady:false
  else if d < b then quickly t first finish b
  else begin
    let middle = first + (d / 2) and learnt = ref b in
    let left b = split t first middle b and right b = split t (middle + 1) finish b in
    let now, later = if t.share > 0 && own_place t > middle then (right, left) else (left, right) in
    let now () =
      learnt := now b;
      1
    in
    let _, b = both t.exit now (fun () -> later !learnt) in
    b
  end

(* A part larger than a leaf that should take no time: it makes no forks in advance once a first leaf has
   confirmed that. Its blocks are small, so that it can still split if it takes longer. *)
and quickly t first finish b =
  let small = Int.max 1 (t.leaf / 4) and last = first + (t.leaf - 1) in
  let before = Tsc.now () in
  ignore (run t first last small ~steady:true);
  let ticks = Tsc.now () - before in
  let b = Int.min b (Grain.adapt t.leaf ~ticks) in
  let first = last + 1 in
  let size = finish - first + 1 in
  if size / t.leaf * ticks > Grain.long then split t first finish b
  else begin
    ignore (run t first finish small ~steady:true);
    Int.max b (Grain.adapt size ~ticks:(Tsc.now () - before - ticks))
  end

(* Where time is measured there are no thieves, and any block might run elsewhere: so the range is halved
   down to blocks, each of them a leaf. [size] is the last block size that was right. *)
let rec into_blocks t size first finish =
  if not (Early_exit.may_run t.exit first) then 1
  else if finish - first < Int.max t.chunk !size then begin
    let at = ref first in
    match
      let before = Tsc.now () in
      let limit = Early_exit.limit t.exit in
      let step = if t.chunk > 0 then t.chunk else finish - first + 1 in
      let rec from k =
        at := k;
        if Early_exit.is_within limit k then begin
          Current_worker.poll ();
          let last = if finish - k < step then finish else k + (step - 1) in
          t.body k last;
          if last < finish then from (last + 1)
        end
      in
      from first;
      size := Grain.adapt (finish - first + 1) ~ticks:(Tsc.now () - before)
    with
    | () -> 1
    | exception exn when exn == Uncaught.Stopped || exn == Fiber.sibling_failed -> raise_notrace exn
    | exception exn ->
        Early_exit.fail t.exit !at exn (Printexc.get_raw_backtrace ());
        raise_notrace Uncaught.Stopped
  end
  else begin
    let middle = first + ((finish - first) / 2) in
    let half first finish () = into_blocks t size first finish in
    fst (both t.exit (half first middle) (half (middle + 1) finish))
  end

(* Returns the block size that was right at the end; 0 if it is not known, or bodies have waited. *)
let over ~chunk ~exit ~workers first finish body =
  let b = if chunk > 0 then chunk else 1 in
  let alone = workers = 1 in
  let leaf = if alone then 1 else Grain.leaf (finish - first) ~workers in
  let share = if alone || Early_exit.is_ordered exit then 0 else (finish - first) / workers in
  let t = { body; exit; chunk; leaf; start = first; share; alone; waits = false } in
  if (not alone) && Current_worker.is_profiled () then begin
    ignore (into_blocks t (ref 1) first finish : int);
    0
  end
  else
    let b =
      if alone then run t first finish b ~steady:false
      else if Current_worker.has_many_jobs ~workers then run t first finish b ~steady:(chunk > 0)
      else split t first finish b
    in
    if t.waits then 0 else b

let inside ~chunk ~exit ~start ~finish body =
  let workers = Current_worker.workers ()
  and exit = match exit with Some c -> c | None -> Early_exit.start All in
  let width = finish - start in
  let b =
    try
      if width >= 0 && width < max_int then over ~chunk ~exit ~workers start finish body
      else begin
        (* The number of iterations is larger than [max_int]. *)
        let middle = (start land finish) + ((start lxor finish) asr 1) in
        let half first finish () = over ~chunk ~exit ~workers first finish body in
        ignore (both exit (half start middle) (half (middle + 1) finish));
        0
      end
    with Uncaught.Stopped -> 0
  in
  Early_exit.check exit;
  b

(* Two clock readings take some 40 ns: less than a hundredth of the shortest block that is reported, the
   report included. *)
let worth_telling = 20_000

(* The fiber may have moved, or waited while its worker did other work. *)
let traced place body first last =
  if Current_worker.is_outside () then body first last
  else
    let w = Current_worker.worker () in
    let jobs = w.jobs and began = Tsc.now () in
    body first last;
    let ended = Tsc.now () in
    if ended - began > worth_telling then
      let alone = Current_worker.deque () == w.deque && w.jobs = jobs in
      !Trace_hooks.listener.block_ended ~first ~last ~began ~ended ~alone ~place

let[@inline never] when_traced code body =
  traced (if code = Known_cost.none then Closure.place body else Closure.place_of_code code) body

let measured ~chunk ~exit ~code ~start ~finish body =
  let body = if !Trace_hooks.on then when_traced code body else body in
  if start > finish then begin
    Current_worker.poll_anywhere ();
    0
  end
  else if Current_worker.is_outside () then
    Pools.run_default (fun () -> inside ~chunk ~exit ~start ~finish body)
  else if start = finish then begin
    Current_worker.poll ();
    (* [Stopped]: a search has its answer. *)
    (try body start finish with Uncaught.Stopped -> ());
    0
  end
  else inside ~chunk ~exit ~start ~finish body

let blocks ?chunk_size ?exit ?(code = Known_cost.none) ~who ~start ~finish body =
  Grain.check_chunk_size who chunk_size;
  let chunk = match chunk_size with None -> 0 | Some n -> n in
  ignore (measured ~chunk ~exit ~code ~start ~finish body : int)

let block_found ~code ~start ~finish body = measured ~chunk:0 ~exit:None ~code ~start ~finish body

(* Four iterations at a time: the loop itself then costs a third less, which counts if the body is only a
   store. It is a function of its own, so that [body] is an argument and need not be read from a closure each
   time. *)
let[@inline never] each body first last =
  let n = last - first + 1 in
  if n > 0 then begin
    (* The loop counts offsets: an index after the last one could be greater than [max_int]. *)
    let quads = n / 4 in
    for q = 0 to quads - 1 do
      let k = first + (4 * q) in
      body k;
      body (k + 1);
      body (k + 2);
      body (k + 3)
    done;
    for i = 4 * quads to n - 1 do
      body (first + i)
    done
  end
  else
    (* There are more than [max_int] indices, or none. *)
    for i = first to last do
      body i
    done

let equal_blocks ~length ~start ~finish body =
  let code = Closure.code body in
  let over ~start ~finish call = blocks ~chunk_size:1 ~code ~who:"" ~start ~finish (each call) in
  if length = 1 then over ~start ~finish (fun i -> body i i)
  else if start <= finish then begin
    (* There may be more than [max_int] iterations: their number has 63 bits, and no sign. *)
    let last = Int64.(to_int (div (logand (of_int (finish - start)) max_int) (of_int length))) in
    over ~start:0 ~finish:last (fun k ->
        let first = start + (k * length) in
        body first (if k = last then finish else first + (length - 1)))
  end
