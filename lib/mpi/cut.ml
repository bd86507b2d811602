type t =
  | Piece of { number : int; first : int; last : int }
  | Node of { first : int; last : int; left : t; right : t }

(* As in {!Reduce}. *)
let middle first last = (first land last) + ((first lxor last) asr 1)

(* [max_int] for all that is longer. *)
let length first last =
  let d = last - first in
  if d < 0 || d = max_int then max_int else d + 1

let tree ~ranks ~leaf start finish =
  let count = ref 0 in
  let rec cut first last =
    let share = length first finish / (2 * ranks) in
    let n = length first last in
    if n <= leaf || n <= share then begin
      let number = !count in
      incr count;
      Piece { number; first; last }
    end
    else begin
      let m = middle first last in
      let left = cut first m in
      let right = cut (m + 1) last in
      Node { first; last; left; right }
    end
  in
  cut start finish

let leaf_of_reduction chunk_size start finish =
  match chunk_size with Some n -> n | None -> Grain.leaves_of_tree (length start finish)

let pieces_per_rank = 128
let leaf_of_loop ~ranks start finish = Int.max 1 (length start finish / (ranks * pieces_per_rank))

let pieces t =
  let rec add t others =
    match t with Piece p -> (p.first, p.last) :: others | Node n -> add n.left (add n.right others)
  in
  Array.of_list (add t [])
