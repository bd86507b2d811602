module Tree = Reduction_tree

let fold_elements element combine first last =
  let acc = ref (element first) in
  (* [last] may be [max_int]. *)
  if first < last then
    for i = first + 1 to last do
      acc := combine !acc (element i)
    done;
  !acc

(* What [Tree.cheap] elements take is as long as a block may take; loops aim at half of that. *)
let remember t known code =
  if Tree.is_dear t then Known_cost.learn known code 0
  else if Tree.cheap t > 0 then Known_cost.learn known code (Tree.cheap t / 2)

let any known code ~leaf ~start ~finish ~fold ~element combine =
  let workers = Current_worker.workers () in
  let alone = workers = 1 in
  let profiled = Current_worker.is_profiled () in
  let width = if finish - start < 0 then max_int else finish - start in
  let share = if profiled then 1 else Grain.leaf width ~workers in
  let t = Tree.make ~element ~fold ~leaf ~share ~alone ~known:false combine in
  let over first last =
    let divided = not (alone || ((not profiled) && Current_worker.has_many_jobs ~workers)) in
    Tree.whole t ~divided first last
  in
  match
    if finish - start >= 0 then over start finish
    else begin
      (* More than [max_int + 1] elements: each half has at most that many. *)
      let middle = Tree.middle start finish in
      let a, b = Fork_join.par (fun () -> over start middle) (fun () -> over (middle + 1) finish) in
      Tree.combining t start a b
    end
  with
  | v ->
      remember t known code;
      v
  | exception Uncaught.Stopped -> Tree.reraise t

(* --- where thieves find nothing, of what may be short --- *)

type 'a part = { first : int; last : int; value : 'a }

type 'a deferred = {
  known : Known_cost.t;
  code : int;
  leaf : int;
  element : (int -> 'a) option;
  fold : int -> int -> 'a;
  combine : 'a -> 'a -> 'a;
  mutable stretch : int; (* so many elements are claimed next *)
  mutable parts : 'a part list; (* of the rest *)
  mutable reached : int; (* the last element of the part whose value [value] has found last *)
}

(* What is claimed. It is covered by the rest, as long as that is in the deque. *)
let in_turn d rest first last =
  let deque = Current_worker.deque () and { known; code; leaf; fold; element; combine; _ } = d in
  if last - first >= leaf then
    if Deque.is_preempt_requested deque then
      any known Known_cost.none ~leaf ~start:first ~finish:last ~fold ~element combine
    else
      let alone = not (Deferred_rest.is_left rest) in
      Short_reduction.run deque ~alone known code ~leaf ~start:first ~finish:last ~fold ~element combine
  else
    match element with
    | Some element when first = last -> element first
    | Some element -> Short_reduction.leaf deque element combine first last
    | None -> fold first last

let most = 64

(* The value of a part of the tree; or of a greater one that starts there, if the rest has come to that. *)
let rec value d rest first last =
  let claimed = Deferred_rest.claimed rest in
  if last <= claimed then begin
    let v = in_turn d rest first last in
    d.reached <- last;
    v
  end
  else if first > claimed then not_claimed d rest first last
  else halves d rest first last

and halves d rest first last =
  let middle = Tree.middle first last in
  let a = value d rest first middle in
  if d.reached > middle then a else d.combine a (value d rest (middle + 1) last)

(* What the rest has come to is read only once it has been joined. *)
and not_claimed d rest first last =
  let size = last - first + 1 in
  if not (Deferred_rest.is_left rest) then begin
    match List.find_opt (fun part -> part.first = first) d.parts with
    | None -> invalid_arg "Weft: internal error: a part of a reduction is missing"
    | Some part ->
        d.reached <- part.last;
        part.value
  end
  else if size > d.stretch && size > d.leaf then halves d rest first last
  else begin
    d.stretch <- Int.min most (2 * d.stretch);
    if Deferred_rest.claim rest size < last then Deferred_rest.join rest;
    value d rest first last
  end

let rec first_leaf leaf first last =
  if last - first < leaf then last else first_leaf leaf first (Tree.middle first last)

(* The greatest parts of the tree that lie in the rest, in order. *)
let rec parts any first last ~from =
  if from <= first then [ { first; last; value = any first last } ]
  else if last < from then []
  else begin
    let middle = Tree.middle first last in
    let left () = parts any first middle ~from and right () = parts any (middle + 1) last ~from in
    if middle < from then right ()
    else
      let left, right = Fork_join.par left right in
      left @ right
  end

let deferred deque known code ~leaf ~start ~finish ~fold ~element combine =
  let d = { known; code; leaf; element; fold; combine; stretch = 2 * leaf; parts = []; reached = start } in
  (* What a few elements take says little. *)
  let any first last =
    let code = if last - first < (finish - start) / 4 then Known_cost.none else code in
    any known code ~leaf ~start:first ~finish:last ~fold ~element combine
  in
  let run from = d.parts <- parts any start finish ~from in
  let rest = Deferred_rest.make deque known code ~start ~until:(first_leaf leaf start finish) ~finish run in
  match
    Deferred_rest.offer rest;
    value d rest start finish
  with
  | v -> v
  | exception exn -> Deferred_rest.failed rest exn

let inside ~code ~leaf ~start ~finish ~fold ~element combine =
  let deque = Current_worker.deque () and known = Known_cost.of_code code in
  let jobs = Short_loop.jobs deque in
  if finish - start < leaf then any known code ~leaf ~start ~finish ~fold ~element combine
  else if Short_loop.is_short ~jobs known code start finish then
    Short_reduction.run deque ~alone:(jobs = 0) known code ~leaf ~start ~finish ~fold ~element combine
  else if Short_loop.may_be_deferred ~jobs known code start finish then
    deferred deque known code ~leaf ~start ~finish ~fold ~element combine
  else any known code ~leaf ~start ~finish ~fold ~element combine

let[@inline never] outside ~code ~leaf ~start ~finish ~fold ~element combine =
  Pools.run_default @@ fun () ->
  if start = finish then fold start finish else inside ~code ~leaf ~start ~finish ~fold ~element combine

let[@inline] size start finish =
  let size = finish - start in
  if size < 0 || size = max_int then max_int else size + 1

let poll_and_fold fold start finish =
  Current_worker.poll ();
  fold start finish

let reduce ?chunk_size ?(leaves = Grain.leaves_of_tree) ?element ?(code = Known_cost.none) ~who ~start ~finish
    ~fold combine =
  Grain.check_chunk_size who chunk_size;
  let code = if Option.is_none chunk_size then code else Known_cost.none in
  let size = size start finish in
  let leaf = match chunk_size with Some n -> n | None -> leaves size in
  if Current_worker.is_outside () then outside ~code ~leaf ~start ~finish ~fold ~element combine
  else begin
    Stack_room.(ensure call);
    if start = finish || (Option.is_none element && size <= leaf && size < max_int) then
      poll_and_fold fold start finish
    else inside ~code ~leaf ~start ~finish ~fold ~element combine
  end

let elements ~code ~start ~finish ~fold element combine =
  let deque = Current_worker.deque () and known = Known_cost.of_code code in
  let jobs = Short_loop.jobs deque and leaf = Grain.leaves_of_tree (size start finish) in
  let element = Some element in
  if Short_loop.is_short ~jobs known code start finish then
    Short_reduction.run deque ~alone:(jobs = 0) known code ~leaf ~start ~finish ~element ~fold combine
  else if Current_worker.is_outside () then outside ~code ~leaf ~start ~finish ~fold ~element combine
  else begin
    Stack_room.(ensure call);
    if start = finish then poll_and_fold fold start finish
    else inside ~code ~leaf ~start ~finish ~fold ~element combine
  end
