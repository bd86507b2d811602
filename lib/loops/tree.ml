type 'a t = {
  fold : int -> int -> 'a;
  element : (int -> 'a) option;
  combine : 'a -> 'a -> 'a;
  course : Course.t;
  leaf : int; (* the greatest leaf *)
  share : int; (* ranges of this size are not split eagerly *)
  (* What walks have taught about the cost of elements; racy, and only hints. *)
  mutable cheap : int; (* ranges of this size are over in no time *)
  mutable dear : bool; (* a single element is worth a theft *)
  mutable known : bool; (* some element's time has been taken *)
}

(* What a worker still has to do to the value it is computing, innermost first. *)
type 'a frame = With_left of 'a | With_right of { first : int; last : int }

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

(* The mean, rounded down; [first + last] and [last - first] may be no integers. *)
let[@inline] middle first last = (first land last) + ((first lxor last) asr 1)

(* An element that takes this many ticks is worth the few hundred that it takes to give it away. *)
let dear = 1024

(* The elements that are kept at a time: a leaf may have any length, if the caller has set it. *)
let kept = 4096

(* The elements in any order, on any worker, and then the leaf as ever. *)
let rec dear_leaf ?before t element first last =
  let until = if last - first < kept then last else first + (kept - 1) in
  let values = Array.make (until - first + 1) None in
  Loop.blocks ~who:"Weft" ~start:first ~finish:until (fun i j ->
      for k = i to j do
        values.(k - first) <- Some (element k)
      done);
  let value k = match values.(k) with Some v -> v | None -> invalid_arg "Weft: internal error: a leaf" in
  let acc = ref (match before with Some v -> t.combine v (value 0) | None -> value 0) in
  for k = 1 to until - first do
    acc := t.combine !acc (value k)
  done;
  if until < last then dear_leaf ~before:!acc t element (until + 1) last else !acc

(* Nothing is known of the cost yet: the first element tells whether the others are to be spread. *)
let unknown_leaf t element first last =
  let before = Ticks.now () in
  let v = element first in
  if Ticks.now () - before > dear then begin
    t.dear <- true;
    dear_leaf t element ~before:v (first + 1) last
  end
  else begin
    t.known <- true;
    let acc = ref v in
    for k = 1 to last - first do
      acc := t.combine !acc (element (first + k))
    done;
    !acc
  end

let leaf t first last =
  if not (Course.may_run t.course first) then raise_notrace Uncaught.Stopped;
  Here.attend ();
  match t.element with
  | Some element when t.dear && last > first -> dear_leaf t element first last
  | Some element when (not t.known) && last > first -> unknown_leaf t element first last
  | _ -> t.fold first last

(* In a pool of one worker nobody is to be given anything, and nothing is to be learnt: what is still to be done may stay on the
   stack. The deque is looked up once, as for loops in steady blocks: leaves may be tiny. *)
let rec straight t deque at first last =
  if last - first < t.leaf then begin
    at := first;
    if not (Course.may_run t.course first) then raise_notrace Uncaught.Stopped;
    if Deque.is_called deque then Here.attend ();
    t.fold first last
  end
  else begin
    let middle = middle first last in
    let a = straight t deque at first middle in
    t.combine a (straight t deque at (middle + 1) last)
  end

(* One worker's walk through (part of) a tree. [at] is where it is: what it raises belongs there. *)
let rec descend t at first last frames =
  if last - first < t.leaf then begin
    at := first;
    ascend t at (leaf t first last) frames
  end
  else begin
    let middle = middle first last in
    descend t at first middle (With_right { first = middle + 1; last } :: frames)
  end

and ascend t at v = function
  | [] -> v
  | With_left a :: frames -> ascend t at (t.combine a v) frames
  | With_right { first; last } :: rest as frames ->
      if Here.is_hungry () then give_away t at v frames first last rest
      else descend t at first last (With_left v :: rest)

and give_away t at v frames first last rest =
  match outermost frames with
  | None when last - first < t.leaf -> descend t at first last (With_left v :: rest)
  | None ->
      (* All that is left is this half: its own halves, then. *)
      let here = !at and middle = middle first last in
      let walk first last () = noting_failures t first (fun at -> descend t at first last []) in
      let a, b = Fork_join.par (walk first middle) (walk (middle + 1) last) in
      at := here;
      ascend t at (t.combine a b) (With_left v :: rest)
  | Some (inner, far_first, far_last, outer) ->
      let here = !at in
      let a, b =
        Fork_join.par
          (fun () -> noting_failures t here (fun at -> ascend t at v inner))
          (fun () -> noting_failures t far_first (fun at -> descend t at far_first far_last []))
      in
      at := here;
      ascend t at (t.combine a b) outer

(* The failure itself is noted in the course; what ends the walks is not it. *)
and noting_failures : 'a 'b. 'a t -> int -> (int ref -> 'b) -> 'b =
 fun t start f ->
  let at = ref start in
  try f at
  with exn ->
    if exn != Uncaught.Stopped && exn != Fiber.sibling_failed then
      Course.fail t.course !at exn (Printexc.get_raw_backtrace ());
    raise_notrace Uncaught.Stopped

let learn t size ticks =
  let cheap = if ticks >= Grain.long then 0 else size * (Grain.long / Int.max ticks (Grain.long / 8)) in
  if t.cheap <> cheap then t.cheap <- cheap;
  if not t.known then t.known <- true;
  let is_dear = ticks / size > dear in
  if t.dear <> is_dear then t.dear <- is_dear

let walk t first last =
  let before = Ticks.now () in
  let v = noting_failures t first (fun at -> descend t at first last []) in
  learn t (last - first + 1) (Ticks.now () - before);
  v

let walk_alone t first last = noting_failures t first (fun at -> straight t (Here.deque ()) at first last)

(* Here and below, [last - first] is an integer: {!inside} sees to that. *)
let rec split t first last =
  let d = last - first in
  if d < t.leaf || d < t.share || d < t.cheap then walk t first last
  else begin
    let middle = middle first last in
    let a, b = Fork_join.par (fun () -> split t first middle) (fun () -> split t (middle + 1) last) in
    noting_failures t first (fun _ -> t.combine a b)
  end

let inside ~leaf ~start ~finish ~fold ~element combine =
  let workers = Here.workers () in
  let alone = workers = 1 in
  let profiled = Here.is_profiled () in
  let width = if finish - start < 0 then max_int else finish - start in
  let share = if profiled then 1 else Grain.leaf width ~workers in
  let course = Course.start All in
  let t = { fold; element; combine; course; leaf; share; cheap = 0; dear = false; known = false } in
  let over first last =
    if alone then walk_alone t first last
    else if (not profiled) && Here.is_rich ~workers then walk t first last
    else split t first last
  in
  match
    if finish - start >= 0 then over start finish
    else begin
      (* More than [max_int + 1] elements: each half has at most that many. *)
      let middle = middle start finish in
      let a, b = Fork_join.par (fun () -> over start middle) (fun () -> over (middle + 1) finish) in
      noting_failures t start (fun _ -> combine a b)
    end
  with
  | v -> v
  | exception Uncaught.Stopped -> Course.reraise course

let reduce ?chunk_size ?element ~who ~start ~finish ~fold combine =
  Grain.check_chunk_size who chunk_size;
  let size = finish - start in
  let size = if size < 0 || size = max_int then max_int else size + 1 in
  let leaf = match chunk_size with Some n -> n | None -> Grain.leaves_of_tree size in
  Here.in_pool @@ fun () ->
  if size = 1 then fold start finish else inside ~leaf ~start ~finish ~fold ~element combine
