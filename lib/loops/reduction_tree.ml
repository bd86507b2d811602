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
}

(* The mean, rounded down; [first + last] and [last - first] may overflow. *)
let[@inline] middle first last = (first land last) + ((first lxor last) asr 1)

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

let fold_values combine before values =
  let add before v =
    match (before, v) with
    | Some a, Some b -> Some (combine a b)
    | None, v -> v
    | Some _, None -> invalid_arg "Weft: internal error: a leaf"
  in
  Array.fold_left add before values

let last_kept first last = if last - first < kept then last else first + (kept - 1)

let rec spread element combine before first last =
  let until = last_kept first last in
  spread_rest element combine (fold_values combine before (values element first until)) until last

and spread_rest element combine acc until last =
  if until < last then spread element combine acc (until + 1) last else Option.get acc

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
      spread_rest element t.combine (fold_values t.combine (Some v) others) until last
  | v, None when (not t.alone) && !ticks > dear ->
      t.dear <- true;
      spread element t.combine (Some v) (first + 1) last
  | v, None ->
      t.known <- true;
      let acc = ref v in
      for k = 1 to last - first do
        acc := t.combine !acc (element (first + k))
      done;
      !acc

let[@inline never] several t first last =
  match t.element with
  | Some element when t.dear -> spread element t.combine None first last
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
   are still to come, from the outermost to the innermost. The runtime may call a finaliser wherever this code
   allocates, loops or begins a function. If that waits, the walk is promoted there: so [at] is written where
   [forked] has been read, and while [forked] changes, the promotion is put off. *)
type 'a walk = {
  tree : 'a t;
  first : int;
  last : int;
  outer : Loops.t; (* that the walk is in *)
  mutable at : int; (* where the current leaf starts *)
  mutable forked : (int * 'a Job.t) list; (* right halves to come that others may run, by where they start *)
  mutable changing : bool; (* [forked] *)
  mutable put_off : bool; (* the promotion *)
}

let[@inline] walk_from tree ~outer ~first ~last ~at =
  { tree; first; last; outer; at; forked = []; changing = false; put_off = false }

(* Called at each inner node: hence no polymorphic comparison. *)
let rec forked_at (first : int) = function
  | [] -> None
  | (at, j) :: others -> if at = first then Some j else forked_at first others

let is_forked w first = Option.is_some (forked_at first w.forked)

(* The failure itself is noted in [exit]; this exception only ends the walks. *)
let failure t at exn backtrace =
  if exn != Uncaught.Stopped && exn != Fiber.sibling_failed then Early_exit.fail t.exit at exn backtrace;
  Uncaught.Stopped

let combining t at a b =
  try t.combine a b with exn -> raise_notrace (failure t at exn (Printexc.get_raw_backtrace ()))

let rec walk t first last =
  if last - first < t.leaf then
    try leaf t (Current_worker.deque ()) first last
    with exn -> raise_notrace (failure t first exn (Printexc.get_raw_backtrace ()))
  else walk_tree t first last

and walk_tree t first last =
  let deque = Current_worker.deque () in
  let outer = Loops.here deque in
  let w = walk_from t ~outer ~first ~last ~at:first in
  enter w deque;
  match descend w deque first last with
  | v ->
      Loops.set (Current_worker.deque ()) outer;
      v
  | exception exn -> failed w exn

and failed : 'a 'b. 'a walk -> exn -> 'b =
 fun w exn ->
  let backtrace = Printexc.get_raw_backtrace () in
  Loops.set (Current_worker.deque ()) w.outer;
  end_forks w (failure w.tree w.at exn backtrace)

(* [at] is [first]. *)
and descend w deque first last =
  let t = w.tree in
  if last - first < t.leaf then leaf t deque first last
  else begin
    if (not t.alone) && Current_worker.has_no_jobs () then begin
      w.changing <- true;
      fork_outermost w (Spawn_context.here (Current_worker.deque ())) w.first w.last;
      changed w
    end;
    let middle = middle first last in
    let a = descend w deque first middle in
    let b =
      match w.forked with
      | [] ->
          w.at <- middle + 1;
          descend w deque (middle + 1) last
      | _ -> right_half w deque (middle + 1) last
    in
    t.combine a b
  end

and right_half w deque first last =
  w.changing <- true;
  match forked_at first w.forked with
  | None ->
      w.at <- first;
      changed w;
      descend w deque first last
  | Some j ->
      w.forked <- List.filter (fun (at, _) -> at <> first) w.forked;
      (* It is no longer to come. All right halves outside it are forked, and waiting for it does not make
         an element expensive. *)
      w.at <- last;
      changed w;
      Loops.set (Current_worker.deque ()) w.outer;
      let v = Fork_join.join j in
      enter w (Current_worker.deque ());
      v

and enter : 'a. 'a walk -> Job.task Deque.t -> unit =
 fun w deque -> Loops.enter deque ~outer:w.outer w promote

and fork w context first last ~queue =
  let j = Job.fork context (fun () -> walk w.tree first last) in
  w.forked <- (first, j) :: w.forked;
  queue j

and fork_outermost w context first last =
  if last - first >= w.tree.leaf then begin
    let middle = middle first last in
    if w.at > middle then fork_outermost w context (middle + 1) last
    else if is_forked w (middle + 1) then fork_outermost w context first middle
    else fork w context (middle + 1) last ~queue:(fun j -> Worker.push (Current_worker.worker ()) (Job.T j))
  end

and changed : 'a. 'a walk -> unit =
 fun w ->
  w.changing <- false;
  if w.put_off then begin
    w.put_off <- false;
    promote w (Spawn_context.here (Current_worker.deque ()))
  end

(* Elements that wait are expensive. *)
and promote : 'a. 'a walk -> 'a Job.state -> unit =
 fun w context ->
  w.tree.dear <- true;
  if w.changing then w.put_off <- true else fork_all w context w.first w.last

and fork_all : 'a. 'a walk -> 'a Job.state -> int -> int -> unit =
 fun w context first last ->
  if last - first >= w.tree.leaf then begin
    let middle = middle first last in
    if w.at > middle then fork_all w context (middle + 1) last
    else begin
      fork_all w context first middle;
      if not (is_forked w (middle + 1)) then fork w context (middle + 1) last ~queue:Promotion.queue
    end
  end

and end_forks : 'a 'b. 'a walk -> exn -> 'b =
 fun w exn ->
  match w.forked with
  | [] -> raise_notrace exn
  | (_, j) :: others ->
      w.forked <- others;
      end_forks w (match Fork_join.left_failed j exn with _ -> exn | exception exn -> exn)

(* --- what is divided --- *)

let tree w = w.tree

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

(* Here and below, [last - first] does not overflow: [Reduce] halves longer ranges itself. *)
let rec split t first last =
  let d = last - first in
  if d < t.leaf || d < t.share || d < t.cheap then walk_and_learn t first last
  else begin
    let middle = middle first last in
    let a, b = Fork_join.par (fun () -> split t first middle) (fun () -> split t (middle + 1) last) in
    combining t first a b
  end

let[@inline] make ~element ~fold ~leaf ~share ~alone ~known combine =
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
    known;
  }

let[@inline] whole t ~divided first last = if divided then split t first last else walk_and_learn t first last
let reraise t = Early_exit.reraise t.exit
let[@inline] is_dear t = t.dear
let[@inline] cheap t = t.cheap
