type t = {
  body : int -> int -> unit;
  course : Course.t;
  chunk : int; (* the greatest block; 0: as time tells *)
  leaf : int;
  start : int;
  share : int; (* the whole range over the number of workers; 0: the left part always first *)
}

(* [steadily] and [by_time] run a range in blocks, from [first] on. The result is whether they stopped before its end, because it
   is more than a block, and others want it: what is less is not worth a theft. [at] then says where, as it does when they
   raise. What is done between blocks counts, since blocks may be tiny: hence local variables and early look-ups. Should the fiber
   move, the deque of the worker it left tells a little less. *)

(* In blocks of [b]. *)
let rec steadily body limit deque at first finish b =
  let next = ref first in
  (* All blocks but the last. *)
  while
    finish - !next >= b
    && (at := !next;
        not (Deque.is_empty deque))
    && (not (Deque.is_called deque))
    && Course.is_within limit !next
  do
    body !next (!next + (b - 1));
    next := !next + b
  done;
  at := !next;
  if Deque.is_called deque then begin
    Here.attend ();
    steadily_on body limit (Here.deque ()) at !next finish b
  end
  else steadily_on body limit deque at !next finish b

(* What to do where the blocks stop. *)
and steadily_on body limit deque at next finish b =
  if not (Course.is_within limit next) then false
  else if finish - next >= b then Deque.is_empty deque || steadily body limit deque at next finish b
  else begin
    if next <= finish then body next finish;
    false
  end

(* In blocks of [!size] at first, and then as the clock tells. *)
let rec by_time body limit at first finish size now =
  at := first;
  Here.attend ();
  let b = !size in
  let last = if finish - first < b then finish else first + (b - 1) in
  if finish - first >= b && Here.is_hungry () then true
  else begin
    body first last;
    let after = Ticks.now () in
    let run = last - first + 1 and ticks = after - now in
    (* A block cut short at the end tells if it was nearly whole, or took long all the same. *)
    if run > b / 4 || ticks > Grain.long then size := Grain.adapt run ~ticks;
    if last < finish && Course.is_within limit (last + 1) then
      by_time body limit at (last + 1) finish size after
    else false
  end

(* In a pool of one worker: blocks only so that cancellation is seen between them. *)
let rec alone body first finish size now =
  Here.attend ();
  let last = if finish - first < size then finish else first + (size - 1) in
  body first last;
  if last < finish then begin
    let after = Ticks.now () in
    alone body (last + 1) finish (Grain.adapt (last - first + 1) ~ticks:(after - now)) after
  end

(* If what is further left counts more, a right part that has stopped must not stop the left one. *)
let both course left right =
  if not (Course.is_ordered course) then Fork_join.par left right
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

(* What goes wrong, also by a signal's exception, is noted with the loop, and the part is [Stopped]: so the fork that it is a side
   of stops the other. The result is the size of block that was right at the end. *)
let rec run t first finish b ~steady =
  if not (Course.may_run t.course first) then b
  else begin
    let at = ref first and size = ref b in
    let limit = Course.limit t.course in
    match
      if steady then steadily t.body limit (Here.deque ()) at first finish b
      else by_time t.body limit at first finish size (Ticks.now ())
    with
    | false -> !size
    | true ->
        let first = !at and b = !size in
        let middle = first + ((finish - first) / 2) in
        let b, _ =
          both t.course
            (fun () -> run t first middle b ~steady)
            (fun () -> run t (middle + 1) finish b ~steady)
        in
        b
    | exception exn when exn == Uncaught.Stopped || exn == Fiber.sibling_failed -> raise_notrace exn
    | exception exn ->
        Course.fail t.course !at exn (Printexc.get_raw_backtrace ());
        raise_notrace Uncaught.Stopped
  end

(* Where this worker begins: in the same place each time, so that in loops that follow each other over the same data every worker
   finds its part in its own cache. *)
let own_place t = t.start + (t.share * Here.index ())

(* [b] is the size of block that was right to the left of here; if this part was stolen, to the left of the part that was
   halved. *)
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
    let _, b = both t.course now (fun () -> later !learnt) in
    b
  end

(* A part larger than a leaf that should be over in no time: no forks ahead of need, once a first leaf has shown that it is so. Its
   blocks are small, so that it spreads where it is not so later. *)
and quickly t first finish b =
  let small = Int.max 1 (t.leaf / 4) and last = first + (t.leaf - 1) in
  let before = Ticks.now () in
  ignore (run t first last small ~steady:true);
  let ticks = Ticks.now () - before in
  let b = Int.min b (Grain.adapt t.leaf ~ticks) in
  let first = last + 1 in
  let size = finish - first + 1 in
  if size / t.leaf * ticks > Grain.long then split t first finish b
  else begin
    ignore (run t first finish small ~steady:true);
    Int.max b (Grain.adapt size ~ticks:(Ticks.now () - before - ticks))
  end

(* Where time is measured, nobody is hungry, and any block might be another's: so the range is halved down to blocks, each of them
   a leaf. [size] is the block that was right last. *)
let rec into_blocks t size first finish =
  if not (Course.may_run t.course first) then 1
  else if finish - first < Int.max t.chunk !size then begin
    let at = ref first in
    match
      let before = Ticks.now () in
      let limit = Course.limit t.course in
      let step = if t.chunk > 0 then t.chunk else finish - first + 1 in
      let rec from k =
        at := k;
        if Course.is_within limit k then begin
          Here.attend ();
          let last = if finish - k < step then finish else k + (step - 1) in
          t.body k last;
          if last < finish then from (last + 1)
        end
      in
      from first;
      size := Grain.adapt (finish - first + 1) ~ticks:(Ticks.now () - before)
    with
    | () -> 1
    | exception exn when exn == Uncaught.Stopped || exn == Fiber.sibling_failed -> raise_notrace exn
    | exception exn ->
        Course.fail t.course !at exn (Printexc.get_raw_backtrace ());
        raise_notrace Uncaught.Stopped
  end
  else begin
    let middle = first + ((finish - first) / 2) in
    let half first finish () = into_blocks t size first finish in
    fst (both t.course (half first middle) (half (middle + 1) finish))
  end

let over ~chunk ~course ~workers first finish body =
  let leaf = Grain.leaf (finish - first) ~workers in
  let share = if Course.is_ordered course then 0 else (finish - first) / workers in
  let t = { body; course; chunk; leaf; start = first; share } in
  let b = if chunk > 0 then chunk else 1 in
  ignore
    (if Here.is_profiled () then into_blocks t (ref 1) first finish
     else if Here.is_rich ~workers then run t first finish b ~steady:(chunk > 0)
     else split t first finish b)

(* A search has its answer. *)
let unless_stopped f = try f () with Uncaught.Stopped -> ()

let inside ~chunk ~course ~start ~finish body =
  let workers = Here.workers () in
  if workers = 1 then begin
    let size = if chunk > 0 then chunk else 1 in
    unless_stopped @@ fun () ->
    if finish - start >= 0 then alone body start finish size (Ticks.now ())
    else begin
      alone body start (-1) size (Ticks.now ());
      alone body 0 finish size (Ticks.now ())
    end
  end
  else begin
    let course = match course with Some c -> c | None -> Course.start All in
    ( unless_stopped @@ fun () ->
      if finish - start >= 0 then over ~chunk ~course ~workers start finish body
      else begin
        (* More than [max_int] iterations. *)
        let half first finish () =
          over ~chunk ~course ~workers first finish body;
          1
        in
        ignore (both course (half start (-1)) (half 0 finish))
      end );
    Course.check course
  end

let blocks ?chunk_size ?course ~who ~start ~finish body =
  Grain.check_chunk_size who chunk_size;
  let body = if !Probe.on then Watched.body body else body in
  if start <= finish then begin
    let chunk = match chunk_size with None -> 0 | Some n -> n in
    if Here.is_outside () then Pools.run_default (fun () -> inside ~chunk ~course ~start ~finish body)
    else if start = finish then unless_stopped (fun () -> body start finish)
    else inside ~chunk ~course ~start ~finish body
  end
