type t =
  | Cell of { number : int; first : int; last : int }
  | Node of { low : int; high : int; first : int; last : int; left : t; right : t }

let cells_per_rank = 128

(* [max_int] for all that is longer. *)
let length first last =
  let d = last - first in
  if d < 0 || d = max_int then max_int else d + 1

let tree ~ranks ~leaf start finish =
  let count = ref 0 in
  let most = Int.max leaf (length start finish / (ranks * cells_per_rank)) in
  let rec cut first last =
    let low = !count in
    if length first last <= most then begin
      incr count;
      Cell { number = low; first; last }
    end
    else begin
      let m = Reduction_tree.middle first last in
      let left = cut first m in
      let right = cut (m + 1) last in
      Node { low; high = !count - 1; first; last; left; right }
    end
  in
  cut start finish

let leaf_of_reduction chunk_size start finish =
  match chunk_size with Some n -> n | None -> Grain.leaves_of_tree (length start finish)

let cells t =
  let rec add t others =
    match t with Cell c -> (c.first, c.last) :: others | Node n -> add n.left (add n.right others)
  in
  Array.of_list (add t [])

let within t i j =
  let rec add t others =
    match t with
    | Cell c -> if i <= c.number && c.number <= j then (c.first, c.last) :: others else others
    | Node n ->
        if j < n.low || n.high < i then others
        else if i <= n.low && n.high <= j then (n.first, n.last) :: others
        else add n.left (add n.right others)
  in
  add t []

(* --- sizes of pieces --- *)

let long_enough = 1_000_000
let longest_piece = cells_per_rank / 8

let next_piece ~ranks ~left ~before ~nanoseconds =
  let by_time = before * long_enough / Int.max 1 nanoseconds in
  let most = Int.min longest_piece (left / (2 * ranks)) in
  Int.max 1 (Int.min (Int.min by_time (2 * before)) most)
