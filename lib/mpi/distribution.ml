type t = Block | Cyclic | Block_cyclic of int
type layout = { distribution : t; length : int; ranks : int }

let layout ~who distribution ~length ~ranks =
  if length < 0 then invalid_arg (Printf.sprintf "%s: negative length %d" who length);
  (match distribution with
  | Block_cyclic n when n < 1 -> invalid_arg (Printf.sprintf "%s: blocks of %d elements" who n)
  | Block | Cyclic | Block_cyclic _ -> ());
  { distribution; length; ranks }

let distribution l = l.distribution
let length l = l.length

(* --- blocks of [b] elements, dealt out in turn --- *)

(* No longer than the array: so [b * ranks] does not overflow. *)
let block_length l n = Int.max 1 (Int.min n l.length)

let count_dealt l b rank =
  let cycle = b * l.ranks in
  (l.length / cycle * b) + Int.max 0 (Int.min b ((l.length mod cycle) - (rank * b)))

let owner_dealt l b i = i / b mod l.ranks
let local_dealt l b i = (i / (b * l.ranks) * b) + (i mod b)
let global_dealt l b rank j = (((j / b * l.ranks) + rank) * b) + (j mod b)

(* --- one block for each rank --- *)

let first l rank = l.length * rank / l.ranks

(* The least rank whose block ends behind [i], an element that is there: so the length is not 0. *)
let owner_of_block l i = (((i + 1) * l.ranks) - 1) / l.length

(* --- all three --- *)

let count l ~rank =
  match l.distribution with
  | Block -> first l (rank + 1) - first l rank
  | Cyclic -> count_dealt l 1 rank
  | Block_cyclic n -> count_dealt l (block_length l n) rank

let owner l i =
  match l.distribution with
  | Block -> owner_of_block l i
  | Cyclic -> owner_dealt l 1 i
  | Block_cyclic n -> owner_dealt l (block_length l n) i

let local_index l i =
  match l.distribution with
  | Block -> i - first l (owner_of_block l i)
  | Cyclic -> local_dealt l 1 i
  | Block_cyclic n -> local_dealt l (block_length l n) i

let global_index l ~rank =
  match l.distribution with
  | Block ->
      let first = first l rank in
      fun j -> first + j
  | Cyclic -> global_dealt l 1 rank
  | Block_cyclic n -> global_dealt l (block_length l n) rank
