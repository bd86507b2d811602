type 'a t = {
  fold : int -> int -> 'a;
  combine : 'a -> 'a -> 'a;
  course : Course.t;
  leaf : int; (* the greatest leaf *)
  share : int; (* ranges of this size are not split eagerly *)
  alone : bool;
  mutable cheap : int; (* ranges of this size are known to be over in no time; racy, and only a hint *)
}

(* What a worker still has to do to the value it is computing, innermost first. *)
type 'a frame = With_left of 'a | With_right of { first : int; last : int }

(* The failure itself is in the course. *)
let stop t at exn =
  let backtrace = Printexc.get_raw_backtrace () in
  if exn != Uncaught.Stopped then Course.fail t.course at exn backtrace;
  raise_notrace Uncaught.Stopped

let leaf t first last =
  if not (Course.may_run t.course first) then raise_notrace Uncaught.Stopped;
  try t.fold first last with exn -> stop t first exn

let combine t at a b = try t.combine a b with exn -> stop t at exn

(* [frames] as inner frames, the outermost right half, and the frames outside it; nothing if that is the innermost. *)
let outermost frames =
  let rec find inner best = function
    | [] -> best
    | (With_left _ as f) :: rest -> find (f :: inner) best rest
    | (With_right { first; last } as f) :: rest -> find (f :: inner) (Some (inner, first, last, rest)) rest
  in
  match find [] None frames with
  | Some ((_ :: _ as inner), first, last, outer) -> Some (List.rev inner, first, last, outer)
  | Some ([], _, _, _) | None -> None

let middle first last = first + ((last - first) / 2)

let rec descend t first last frames =
  if last - first < t.leaf then ascend t first (leaf t first last) frames
  else begin
    let middle = middle first last in
    descend t first middle (With_right { first = middle + 1; last } :: frames)
  end

(* [at] is where the value [v] starts. *)
and ascend t at v = function
  | [] -> v
  | With_left a :: frames -> ascend t at (combine t at a v) frames
  | With_right { first; last } :: rest as frames ->
      if (not t.alone) && Here.is_hungry () then give_away t at v frames first last rest
      else descend t first last (With_left v :: rest)

and give_away t at v frames first last rest =
  match outermost frames with
  | None -> descend t first last (With_left v :: rest)
  | Some (inner, far_first, far_last, outer) ->
      let a, b = Fork_join.par (fun () -> ascend t at v inner) (fun () -> descend t far_first far_last []) in
      ascend t at (combine t at a b) outer

(* One subtree, and what it teaches about the cost of an element. *)
let walk t first last =
  let before = Ticks.now () in
  let v = descend t first last [] in
  let size = last - first + 1 and ticks = Ticks.now () - before in
  let cheap = if ticks >= Grain.long then 0 else size * (Grain.long / max ticks (Grain.long / 8)) in
  if t.cheap <> cheap then t.cheap <- cheap;
  v

let rec split t first last =
  let d = last - first in
  if d < t.leaf || d < t.share || d < t.cheap then walk t first last
  else begin
    let middle = middle first last in
    let a, b = Fork_join.par (fun () -> split t first middle) (fun () -> split t (middle + 1) last) in
    combine t first a b
  end

let inside ~leaf ~start ~finish ~fold combine =
  let workers = Here.workers () in
  let alone = workers = 1 in
  let share = Grain.leaf (finish - start) ~workers in
  let course = Course.start All in
  let t = { fold; combine; course; leaf; share; alone; cheap = 0 } in
  match if alone || Here.is_rich ~workers then descend t start finish [] else split t start finish with
  | v -> v
  | exception Uncaught.Stopped -> Course.reraise course

let reduce ?chunk_size ~who ~start ~finish ~fold combine =
  Grain.check_chunk_size who chunk_size;
  let size = finish - start in
  let size = if size < 0 || size = max_int then max_int else size + 1 in
  let leaf = match chunk_size with Some n -> n | None -> Grain.leaves_of_tree size in
  if size = 1 then fold start finish else Here.in_pool (fun () -> inside ~leaf ~start ~finish ~fold combine)
