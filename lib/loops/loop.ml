type t = {
  body : int -> int -> unit;
  course : Course.t;
  chunk : int; (* the greatest block; 0: as time tells *)
  leaf : int;
  learning : bool; (* whether [block] will be asked for *)
  mutable block : int; (* the size of block that was right most lately; racy, and only a hint *)
}

let learn t b = if t.learning && t.block <> b then t.block <- b

(* A block; whether it ended well. *)
let[@inline] block t first last =
  match t.body first last with
  | () -> true
  | exception exn ->
      Course.fail t.course first exn (Printexc.get_raw_backtrace ());
      false

(* What is less than a block is not worth a theft. *)
let[@inline] is_wanted t first finish b = finish - first >= b && Here.is_hungry ()

(* [first] to [finish], in blocks of [b] at first, by a clock that shows [now]. [b] is at least 1, and [finish - first] does not
   overflow. *)
let rec sequence t first finish b now =
  if finish - first < b then last_block t first finish b now
  else begin
    let last = first + (b - 1) in
    if block t first last && last < finish then begin
      let after = Ticks.now () in
      let b = Grain.adapt b ~ticks:(after - now) in
      let first = last + 1 in
      if Course.may_run t.course first then
        if is_wanted t first finish b then begin
          learn t b;
          in_two t first finish b
        end
        else sequence t first finish b after
    end
  end

and last_block t first finish b now =
  if block t first finish && t.learning then begin
    let run = finish - first + 1 and ticks = Ticks.now () - now in
    (* A block cut short tells only if it was a whole one all the same, or took long. *)
    if run = b || ticks > Grain.long then learn t (Grain.adapt run ~ticks)
  end

(* The same with blocks of [b] whatever they take. Forced blocks may be tiny, so what is done between them counts: the trap and
   the look-up of the deque are outside the loop. Should the fiber move, the deque of the worker it left tells a little less. *)
and steady t first finish b =
  let at = ref first and split = ref false in
  match
    let deque = Here.deque () in
    while
      let first = !at in
      let last = if finish - first < b then finish else first + (b - 1) in
      t.body first last;
      last < finish
      && begin
           at := last + 1;
           Course.may_run t.course !at
           && begin
                split := finish - !at >= b && Deque.is_empty deque;
                not !split
              end
         end
    do
      ()
    done
  with
  | () -> if !split then in_two t !at finish b
  | exception exn -> Course.fail t.course !at exn (Printexc.get_raw_backtrace ())

and in_two t first finish b =
  let middle = first + ((finish - first) / 2) in
  let (), () = Fork_join.par (fun () -> run t first middle b) (fun () -> run t (middle + 1) finish b) in
  ()

and run t first finish b =
  if Course.may_run t.course first then
    if t.chunk > 0 then steady t first finish b else sequence t first finish b (Ticks.now ())

let rec split t first finish =
  let d = finish - first in
  if d < t.leaf || d < t.block then run t first finish t.block
  else begin
    let middle = first + (d / 2) in
    let (), () = Fork_join.par (fun () -> split t first middle) (fun () -> split t (middle + 1) finish) in
    ()
  end

let over ~chunk ~course ~workers first finish body =
  let leaf = Grain.leaf (finish - first) ~workers in
  let learning = not (Here.is_rich ~workers) in
  let t = { body; course; chunk; leaf; learning; block = (if chunk > 0 then chunk else 1) } in
  if learning then split t first finish else run t first finish t.block

let inside ~chunk ~course ~start ~finish body =
  let workers = Here.workers () in
  if workers = 1 then body start finish
  else begin
    let course = match course with Some c -> c | None -> Course.start All in
    if finish - start >= 0 then over ~chunk ~course ~workers start finish body
    else begin
      (* More than [max_int] iterations. *)
      let half first finish () = over ~chunk ~course ~workers first finish body in
      let (), () = Fork_join.par (half start (-1)) (half 0 finish) in
      ()
    end;
    Course.check course
  end

let blocks ?chunk_size ?course ~who ~start ~finish body =
  Grain.check_chunk_size who chunk_size;
  if start = finish then body start finish
  else if start < finish then begin
    let chunk = match chunk_size with None -> 0 | Some n -> n in
    if Here.is_outside () then Pools.run_default (fun () -> inside ~chunk ~course ~start ~finish body)
    else inside ~chunk ~course ~start ~finish body
  end
