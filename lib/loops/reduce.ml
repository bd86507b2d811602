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

let inside ~code ~leaf ~start ~finish ~fold ~element combine =
  let deque = Current_worker.deque () and known = Known_cost.of_code code in
  let jobs = Short_loop.jobs deque in
  if Short_loop.is_short ~jobs known code start finish && finish - start >= leaf then
    Short_reduction.run deque ~alone:(jobs = 0) known code ~leaf ~start ~finish ~fold ~element combine
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
    else any known code ~leaf ~start ~finish ~fold ~element combine
  end
