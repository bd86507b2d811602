type t = {
  body : int -> int -> unit;
  course : Course.t;
  chunk : int; (* the greatest block; 0: as time tells *)
  leaf : int;
  alone : bool; (* nobody could steal *)
  mutable block : int; (* the size of block that was right most lately; racy, and only a hint *)
}

let learn t b = if t.block <> b then t.block <- b

(* [first] to [last] by a clock that showed [before] at the start. [b] is at least 1, and [finish - first] does not overflow. *)
let rec sequence t first finish b before =
  let last = if finish - first < b then finish else first + (b - 1) in
  match t.body first last with
  | exception exn -> Course.fail t.course first exn (Printexc.get_raw_backtrace ())
  | () ->
      if last < finish then begin
        let now = Ticks.now () in
        let b = if t.chunk > 0 then t.chunk else Grain.adapt b ~ticks:(now - before) in
        go_on t (last + 1) finish b now
      end
      else if t.chunk = 0 then begin
        let run = last - first + 1 and ticks = Ticks.now () - before in
        (* A block cut short at the end tells only if it took long all the same. *)
        if run = b || ticks > Grain.long then learn t (Grain.adapt run ~ticks)
      end

and go_on t first finish b now =
  if Course.may_run t.course first then
    (* What is less than a block is not worth a theft. *)
    if finish - first >= b && (not t.alone) && Here.is_hungry () then begin
      learn t b;
      let middle = first + ((finish - first) / 2) in
      let (), () = Fork_join.par (fun () -> run t first middle b) (fun () -> run t (middle + 1) finish b) in
      ()
    end
    else sequence t first finish b now

and run t first finish b = if Course.may_run t.course first then sequence t first finish b (Ticks.now ())

let rec split t first finish =
  let d = finish - first in
  if d < t.leaf || d < t.block then run t first finish (if t.chunk > 0 then t.chunk else t.block)
  else begin
    let middle = first + (d / 2) in
    let (), () = Fork_join.par (fun () -> split t first middle) (fun () -> split t (middle + 1) finish) in
    ()
  end

let inside ~chunk course ~start ~finish body =
  let workers = Here.workers () in
  let alone = workers = 1 in
  let over first finish =
    let leaf = Grain.leaf (finish - first) ~workers in
    let t = { body; course; chunk; leaf; alone; block = max 1 chunk } in
    if alone || Here.is_rich () then run t first finish t.block else split t first finish
  in
  if finish - start >= 0 then over start finish
  else begin
    (* More than [max_int] iterations. *)
    let (), () = Fork_join.par (fun () -> over start (-1)) (fun () -> over 0 finish) in
    ()
  end;
  Course.check course

let blocks ?chunk_size ?course ~who ~start ~finish body =
  Grain.check_chunk_size who chunk_size;
  if start <= finish then begin
    let course = match course with Some c -> c | None -> Course.start All in
    let chunk = Option.value chunk_size ~default:0 in
    Here.in_pool (fun () -> inside ~chunk course ~start ~finish body)
  end
