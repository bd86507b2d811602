type 'a t = {
  fold : int -> int -> 'a;
  element : (int -> 'a) option;
  combine : 'a -> 'a -> 'a;
  exit : Early_exit.t;
  limit : int Atomic.t; (* of [exit] *)
  leaf : int; (* the greatest leaf *)
  share : int; (* ranges of this size are not split eagerly *)
  alone : bool; (* in a pool of one worker, where nobody wants a part *)
  (* What walks have learnt about the cost of elements; racy, and only hints. *)
  mutable cheap : int; (* ranges of this size take no time *)
  mutable dear : bool; (* a single element is worth a steal *)
  mutable known : bool; (* some element's time has been taken *)
  (* Of a reduction that should be short: where it went on as any, and when; 0: it has not. *)
  mutable left_at : int;
  mutable left_since : int;
}

(* The mean, rounded down; [first + last] and [last - first] may overflow. *)
let[@inline] middle first last = (first land last) + ((first lxor last) asr 1)

let fold_elements element combine first last =
  let acc = ref (element first) in
  (* [last] may be [max_int]. *)
  if first < last then
    for i = first + 1 to last do
      acc := combine !acc (element i)
    done;
  !acc

(* Giving away an element costs a few hundred ticks: this many are worth it. *)
let dear = 1024

(* So many elements are kept at a time: a leaf may have any length, if the caller has set it. *)
let kept = 4096

(* In any order, on any worker. *)
let values element first last =
  let values = Array.make (last - first + 1) None in
  Loop.blocks ~code:(Closure.code element) ~who:"Weft" ~start:first ~finish:last (fun i j ->
      for k = i to j do
        values.(k - first) <- Some (element k)
      done);
  values

let fold_values t before values =
  let add before v =
    match (before, v) with
    | Some a, Some b -> Some (t.combine a b)
    | None, v -> v
    | Some _, None -> invalid_arg "Weft: internal error: a leaf"
  in
  Array.fold_left add before values

let last_kept first last = if last - first < kept then last else first + (kept - 1)

(* Folds the leaf as usual, once its elements are there. *)
let rec dear_leaf t element before first last =
  let until = last_kept first last in
  rest_of_leaf t element (fold_values t before (values element first until)) until last

and rest_of_leaf t element acc until last =
  if until < last then dear_leaf t element acc (until + 1) last else Option.get acc

(* Nothing is known of the cost yet: the first element decides whether the others are spread. *)
let unknown_leaf t element first last =
  let until = last_kept (first + 1) last and ticks = ref 0 in
  let timed () =
    let before = Tsc.now () in
    let v = element first in
    ticks := Tsc.now () - before;
    v
  in
  match Promotion.both timed (fun () -> values element (first + 1) until) with
  | v, Some others ->
      t.dear <- true;
      rest_of_leaf t element (fold_values t (Some v) others) until last
  | v, None when (not t.alone) && !ticks > dear ->
      t.dear <- true;
      dear_leaf t element (Some v) (first + 1) last
  | v, None ->
      t.known <- true;
      let acc = ref v in
      for k = 1 to last - first do
        acc := t.combine !acc (element (first + k))
      done;
      !acc

let[@inline never] several t first last =
  match t.element with
  | Some element when t.dear -> dear_leaf t element None first last
  | Some element when not t.known -> unknown_leaf t element first last
  | _ -> t.fold first last

(* Leaves may be tiny, so the deque is looked up once. If the fiber moves, that of the worker it left tells
   a little less. *)
let[@inline] leaf t deque first last =
  if not (Early_exit.is_within t.limit first) then raise_notrace Uncaught.Stopped;
  if Deque.is_preempt_requested deque then Current_worker.poll ();
  if last > first then several t first last
  else match t.element with Some element -> element first | None -> t.fold first last

(* One fiber's walk through a part of the tree. The right halves on the way to [at] that it has not begun
   are still to come, from the outermost to the innermost. *)
type 'a walk = {
  tree : 'a t;
  here : 'a Job.state; (* the fiber's context *)
  first : int;
  last : int;
  outer : Loops.t; (* that the walk is in *)
  mutable at : int; (* where the current leaf starts *)
  mutable forked : (int * 'a Job.t) list; (* right halves to come that others may run, by where they start *)
}

(* Called at each inner node: hence no polymorphic comparison. *)
let rec forked_at (first : int) = function
  | [] -> None
  | (at, j) :: others -> if at = first then Some j else forked_at first others

let is_forked w first = Option.is_some (forked_at first w.forked)

(* The failure itself is noted in [exit]; this exception only ends the walks. *)
let failed t at exn backtrace =
  if exn != Uncaught.Stopped && exn != Fiber.sibling_failed then Early_exit.fail t.exit at exn backtrace;
  Uncaught.Stopped

let combining t at a b =
  try t.combine a b with exn -> raise_notrace (failed t at exn (Printexc.get_raw_backtrace ()))

let rec walk t first last =
  if last - first < t.leaf then
    try leaf t (Current_worker.deque ()) first last
    with exn -> raise_notrace (failed t first exn (Printexc.get_raw_backtrace ()))
  else walk_tree t first last

and walk_tree t first last =
  let deque = Current_worker.deque () in
  let outer = Loops.here deque in
  let w = { tree = t; here = Spawn_context.here deque; first; last; outer; at = first; forked = [] } in
  Loops.set deque (Loop { state = w; promote; outer; is_promoted = false });
  match descend w deque first last with
  | v ->
      Loops.set (Current_worker.deque ()) outer;
      v
  | exception exn -> walk_failed w exn

and walk_failed : 'a 'b. 'a walk -> exn -> 'b =
 fun w exn ->
  let backtrace = Printexc.get_raw_backtrace () in
  Loops.set (Current_worker.deque ()) w.outer;
  end_forks w (failed w.tree w.at exn backtrace)

and descend w deque first last =
  let t = w.tree in
  if last - first < t.leaf then begin
    w.at <- first;
    leaf t deque first last
  end
  else begin
    if (not t.alone) && Current_worker.has_no_jobs () then begin
      w.at <- first;
      fork_outermost w w.first w.last
    end;
    let middle = middle first last in
    let a = descend w deque first middle in
    let b =
      match w.forked with
      | [] -> descend w deque (middle + 1) last
      | _ -> right_half w deque (middle + 1) last
    in
    t.combine a b
  end

and right_half w deque first last =
  match forked_at first w.forked with
  | None -> descend w deque first last
  | Some j ->
      w.forked <- List.filter (fun (at, _) -> at <> first) w.forked;
      (* It is no longer to come. All right halves outside it are forked, and waiting for it does not make
         an element expensive. *)
      w.at <- last;
      Loops.set (Current_worker.deque ()) w.outer;
      let v = Fork_join.join j in
      let loop : Loops.t = Loop { state = w; promote; outer = w.outer; is_promoted = false } in
      Loops.set (Current_worker.deque ()) loop;
      v

and fork w first last ~queue =
  let j = Job.fork w.here (fun () -> walk w.tree first last) in
  w.forked <- (first, j) :: w.forked;
  queue j

and fork_outermost w first last =
  if last - first >= w.tree.leaf then begin
    let middle = middle first last in
    if w.at > middle then fork_outermost w (middle + 1) last
    else if is_forked w (middle + 1) then fork_outermost w first middle
    else fork w (middle + 1) last ~queue:(fun j -> Worker.push (Current_worker.worker ()) (Job.T j))
  end

(* Elements that wait are expensive. *)
and promote : 'a. 'a walk -> unit =
 fun w ->
  w.tree.dear <- true;
  let rec fork_all first last =
    if last - first >= w.tree.leaf then begin
      let middle = middle first last in
      if w.at > middle then fork_all (middle + 1) last
      else begin
        fork_all first middle;
        if not (is_forked w (middle + 1)) then fork w (middle + 1) last ~queue:Promotion.queue
      end
    end
  in
  fork_all w.first w.last

and end_forks : 'a 'b. 'a walk -> exn -> 'b =
 fun w exn ->
  match w.forked with
  | [] -> raise_notrace exn
  | (_, j) :: others ->
      w.forked <- others;
      end_forks w (match Fork_join.left_failed j exn with _ -> exn | exception exn -> exn)

(* --- what should be short --- *)

(* Where the worker is preempted, or thieves have emptied its deque, the rest goes as any other. *)
let[@inline] goes_on w deque = w.forked == [] && Short_loop.goes_on deque ~alone:w.tree.alone

let[@inline never] leave w deque first last =
  let t = w.tree in
  if t.left_since = 0 then begin
    t.left_at <- first;
    t.left_since <- Tsc.now ()
  end;
  right_half w deque first last

let rec descend_in_short w deque first last =
  let t = w.tree in
  if last - first < t.leaf then begin
    w.at <- first;
    t.fold first last
  end
  else begin
    let middle = middle first last in
    let a = descend_in_short w deque first middle in
    let b =
      if goes_on w deque then descend_in_short w deque (middle + 1) last else leave w deque (middle + 1) last
    in
    t.combine a b
  end

let[@inline] one_more w deque element at =
  if w.forked == [] then begin
    w.at <- at;
    element at
  end
  else right_half w deque at at

let[@inline] two w deque element first =
  w.at <- first;
  let a = element first in
  let b = one_more w deque element (first + 1) in
  w.tree.combine a b

(* The same with the function for one element. Up to four of them, in leaves of one, are most of what small
   reductions have: they need no further calls. *)
let rec descend_elements w deque element first last =
  let t = w.tree and d = last - first in
  if d < t.leaf then begin
    w.at <- first;
    let acc = ref (element first) and i = ref first in
    while !i < last && not (Deque.is_preempt_requested deque) do
      incr i;
      acc := t.combine !acc (element !i)
    done;
    if !i < last then dear_leaf t element (Some !acc) (!i + 1) last else !acc
  end
  else if t.leaf > 1 || d > 3 then begin
    let middle = middle first last in
    let a = descend_elements w deque element first middle in
    let b =
      if goes_on w deque then descend_elements w deque element (middle + 1) last
      else leave w deque (middle + 1) last
    in
    t.combine a b
  end
  else if d = 1 then two w deque element first
  else begin
    let a = two w deque element first in
    if d = 2 then t.combine a (one_more w deque element last)
    else
      let b =
        if w.forked == [] then two w deque element (first + 2) else right_half w deque (first + 2) last
      in
      t.combine a b
  end

let walk_short t deque first last =
  let outer = Loops.here deque in
  let w = { tree = t; here = Spawn_context.here deque; first; last; outer; at = first; forked = [] } in
  Loops.set deque (Loop { state = w; promote; outer; is_promoted = false });
  match
    match t.element with
    | Some element -> descend_elements w deque element first last
    | None when t.leaf = 1 -> descend_elements w deque (fun i -> t.fold i i) first last
    | None -> descend_in_short w deque first last
  with
  | v ->
      Loops.set (Current_worker.deque ()) outer;
      v
  | exception exn -> walk_failed w exn

(* --- what is divided --- *)

let learn t size ticks =
  let cheap = if ticks >= Grain.long then 0 else size * (Grain.long / Int.max ticks (Grain.long / 8)) in
  if t.cheap <> cheap then t.cheap <- cheap;
  if not t.known then t.known <- true;
  let is_dear = ticks / size > dear in
  if t.dear <> is_dear then t.dear <- is_dear

let walk_and_learn t first last =
  let before = Tsc.now () in
  let v = walk t first last in
  learn t (last - first + 1) (Tsc.now () - before);
  v

(* Here and below, [last - first] does not overflow: {!inside} sees to that. *)
let rec split t first last =
  let d = last - first in
  if d < t.leaf || d < t.share || d < t.cheap then walk_and_learn t first last
  else begin
    let middle = middle first last in
    let a, b = Fork_join.par (fun () -> split t first middle) (fun () -> split t (middle + 1) last) in
    combining t first a b
  end

let[@inline] make ~element ~fold ~leaf ~share ~alone ~short combine =
  let exit = Early_exit.start All in
  {
    fold;
    element;
    combine;
    exit;
    limit = Early_exit.limit exit;
    leaf;
    share;
    alone;
    cheap = 0;
    dear = false;
    known = short;
    left_at = 0;
    left_since = 0;
  }

let[@inline never] reconsider t known code ~start ~finish =
  let left = finish - t.left_at + 1 and ticks = Tsc.now () - t.left_since in
  if t.dear || ticks / left * (finish - start + 1) > Grain.long * 2 then Known_cost.distrust known code

(* Its elements should take no time. *)
let short deque ~alone known code ~leaf ~start ~finish ~fold ~element combine =
  let t = make ~element ~fold ~leaf ~share:max_int ~alone ~short:true combine in
  match walk_short t deque start finish with
  | v ->
      if t.left_since <> 0 || t.dear then reconsider t known code ~start ~finish;
      v
  | exception Uncaught.Stopped -> Early_exit.reraise t.exit

(* What [t.cheap] elements take is as long as a block may take; loops aim at half of that. *)
let remember t known code =
  if t.dear then Known_cost.learn known code 0
  else if t.cheap > 0 then Known_cost.learn known code (t.cheap / 2)

let any known code ~leaf ~start ~finish ~fold ~element combine =
  let workers = Current_worker.workers () in
  let alone = workers = 1 in
  let profiled = Current_worker.is_profiled () in
  let width = if finish - start < 0 then max_int else finish - start in
  let share = if profiled then 1 else Grain.leaf width ~workers in
  let t = make ~element ~fold ~leaf ~share ~alone ~short:false combine in
  let over first last =
    if alone || ((not profiled) && Current_worker.has_many_jobs ~workers) then walk_and_learn t first last
    else split t first last
  in
  match
    if finish - start >= 0 then over start finish
    else begin
      (* More than [max_int + 1] elements: each half has at most that many. *)
      let middle = middle start finish in
      let a, b = Fork_join.par (fun () -> over start middle) (fun () -> over (middle + 1) finish) in
      combining t start a b
    end
  with
  | v ->
      remember t known code;
      v
  | exception Uncaught.Stopped -> Early_exit.reraise t.exit

let inside ~code ~leaf ~start ~finish ~fold ~element combine =
  let deque = Current_worker.deque () and known = Known_cost.of_code code in
  let jobs = Short_loop.jobs deque in
  if Short_loop.is_short ~jobs known code start finish && finish - start >= leaf then
    short deque ~alone:(jobs = 0) known code ~leaf ~start ~finish ~fold ~element combine
  else any known code ~leaf ~start ~finish ~fold ~element combine

let[@inline never] outside ~code ~leaf ~start ~finish ~fold ~element combine =
  Pools.run_default @@ fun () ->
  if start = finish then fold start finish else inside ~code ~leaf ~start ~finish ~fold ~element combine

let reduce ?chunk_size ?(leaves = Grain.leaves_of_tree) ?element ?(code = Known_cost.none) ~who ~start ~finish
    ~fold combine =
  Grain.check_chunk_size who chunk_size;
  let code = if Option.is_none chunk_size then code else Known_cost.none in
  let size = finish - start in
  let size = if size < 0 || size = max_int then max_int else size + 1 in
  let leaf = match chunk_size with Some n -> n | None -> leaves size in
  if Current_worker.is_outside () then outside ~code ~leaf ~start ~finish ~fold ~element combine
  else begin
    Stack_room.(ensure call);
    if start = finish || (Option.is_none element && size <= leaf && size < max_int) then begin
      Current_worker.poll ();
      fold start finish
    end
    else inside ~code ~leaf ~start ~finish ~fold ~element combine
  end
