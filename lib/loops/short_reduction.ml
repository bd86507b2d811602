module Tree = Reduction_tree

(* Where leaves have several elements. *)
type 'a leaves = { greatest : int; fold : int -> int -> 'a; in_elements : bool (* these may spread *) }

(* [left_since]: when the short walk gave way to [walk], at [left_at]; 0 if its fiber was suspended there. *)
type 'a rest = { walk : 'a Tree.walk; left_at : int; left_since : int }

type 'a t = {
  element : int -> 'a;
  combine : 'a -> 'a -> 'a;
  leaves : 'a leaves option;
  alone : bool; (* in a pool of one *)
  first : int;
  last : int;
  outer : Loops.t; (* that the reduction is in *)
  mutable at : int; (* where the current leaf starts *)
  mutable rest : 'a rest option; (* all right halves to come, once there is one *)
}

let walk_from t at =
  let tree =
    let make = Tree.make ~share:max_int ~alone:t.alone ~known:true in
    match t.leaves with
    | None -> make ~element:(Some t.element) ~fold:(fun i _ -> t.element i) ~leaf:1 t.combine
    | Some { greatest; fold; in_elements } ->
        make ~element:(if in_elements then Some t.element else None) ~fold ~leaf:greatest t.combine
  in
  Tree.walk_from tree ~outer:t.outer ~first:t.first ~last:t.last ~at

let promote t context =
  match t.rest with
  | Some { walk; _ } -> Tree.promote walk context
  | None ->
      let walk = walk_from t t.at in
      t.rest <- Some { walk; left_at = t.at; left_since = 0 };
      Tree.promote walk context

let[@inline never] right_half t first last =
  let deque = Current_worker.deque () in
  match t.rest with
  | Some { walk; _ } -> Tree.right_half walk deque first last
  | None -> (
      Stack_room.(ensure call);
      let walk = walk_from t first in
      let rest = Some { walk; left_at = first; left_since = Tsc.now () } in
      match t.rest with
      | None ->
          t.rest <- rest;
          Tree.enter walk deque;
          Tree.right_half walk deque first last
      | Some { walk; _ } -> Tree.right_half walk deque first last)

let[@inline] goes_on t deque = t.rest == None && Short_loop.goes_on deque ~alone:t.alone

let[@inline] one t i =
  t.at <- i;
  t.element i

(* The right half of a node: of one element, of two, of three or four. [at] is written where [rest] was read,
   before a call: a function may begin with a poll, where a callback of the runtime may wait, and so promote
   the reduction. *)
let[@inline] or_one t i = if t.rest == None then one t i else right_half t i i

let[@inline] two t i =
  let a = one t i in
  t.combine a (or_one t (i + 1))

let[@inline] or_two t i =
  if t.rest == None then begin
    t.at <- i;
    two t i
  end
  else right_half t i (i + 1)

let three t i =
  let a = two t i in
  t.combine a (or_one t (i + 2))

let four t i =
  let a = two t i in
  t.combine a (or_two t (i + 2))

let[@inline] or_three t i =
  if t.rest == None then begin
    t.at <- i;
    three t i
  end
  else right_half t i (i + 2)

let[@inline] or_four t i =
  if t.rest == None then begin
    t.at <- i;
    four t i
  end
  else right_half t i (i + 3)

(* Up to eight elements are most of what small reductions have: they need no look at the deque, and hardly any
   calls. Each of these cases, and {!three} and {!four}, must divide its elements as [Tree.middle] does: the
   result depends on the tree. The test is "the trees of reductions are the same" of
   test/weft/short_loops.ml. *)
let rec walk t deque first last =
  match last - first with
  | 0 -> one t first
  | 1 -> two t first
  | 2 -> three t first
  | 3 -> four t first
  | 4 ->
      let a = three t first in
      t.combine a (or_two t (first + 3))
  | 5 ->
      let a = three t first in
      t.combine a (or_three t (first + 3))
  | 6 ->
      let a = four t first in
      t.combine a (or_three t (first + 4))
  | 7 ->
      let a = four t first in
      t.combine a (or_four t (first + 4))
  | _ ->
      let middle = Tree.middle first last in
      let a = walk t deque first middle in
      let b =
        if goes_on t deque then begin
          t.at <- middle + 1;
          walk t deque (middle + 1) last
        end
        else right_half t (middle + 1) last
      in
      t.combine a b

(* Where the worker is preempted in the middle of a leaf, its elements are not as cheap as they should be. *)
let[@inline] leaf deque element combine first last =
  let acc = ref (element first) and i = ref first in
  while !i < last && not (Deque.is_preempt_requested deque) do
    incr i;
    acc := combine !acc (element !i)
  done;
  if !i < last then Tree.spread element combine (Some !acc) (!i + 1) last else !acc

let rec walk_leaves t leaves deque first last =
  if last - first < leaves.greatest then begin
    t.at <- first;
    if leaves.in_elements then leaf deque t.element t.combine first last else leaves.fold first last
  end
  else begin
    let middle = Tree.middle first last in
    let a = walk_leaves t leaves deque first middle in
    let b =
      if goes_on t deque then begin
        t.at <- middle + 1;
        walk_leaves t leaves deque (middle + 1) last
      end
      else right_half t (middle + 1) last
    in
    t.combine a b
  end

let[@inline never] reconsider t rest known code =
  let left = t.last - rest.left_at + 1 and ticks = Tsc.now () - rest.left_since - Grain.worth_sharing in
  if Tree.is_dear (Tree.tree rest.walk) || ticks / left * (t.last - t.first + 1) > Grain.long * 2 then
    Known_cost.distrust known code

let[@inline never] failed t exn =
  let backtrace = Printexc.get_raw_backtrace () in
  match t.rest with
  | None ->
      Loops.set (Current_worker.deque ()) t.outer;
      Printexc.raise_with_backtrace exn backtrace
  | Some { walk; _ } -> (
      match Tree.failed walk exn with v -> v | exception Uncaught.Stopped -> Tree.reraise (Tree.tree walk))

let run deque ~alone known code ~leaf ~start ~finish ~element ~fold combine =
  let outer = Loops.here deque in
  let leaves =
    if leaf = 1 then None else Some { greatest = leaf; fold; in_elements = Option.is_some element }
  in
  let element = match element with Some element -> element | None -> fun i -> fold i i in
  let t = { element; combine; leaves; alone; first = start; last = finish; outer; at = start; rest = None } in
  Loops.enter deque ~outer t promote;
  match
    match leaves with
    | None -> walk t deque start finish
    | Some leaves -> walk_leaves t leaves deque start finish
  with
  | v ->
      Loops.set (Current_worker.deque ()) outer;
      (match t.rest with None -> () | Some rest -> reconsider t rest known code);
      v
  | exception exn -> failed t exn
