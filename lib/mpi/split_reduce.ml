(* A rank gives the greatest nodes that it has whole, and its elements of leaves that it shares with others. *)
type 'b given =
  | Node of { first : int; last : int; value : 'b }
  | Elements of { first : int; values : 'b array }

let own ~who ~length ~leaf ~first:own_first f combine block =
  let own_last = own_first + Array.length block - 1 in
  let element i = f block.(i - own_first) in
  let whole first last =
    let fold = Reduce.fold_elements element combine in
    Reduce.reduce ~chunk_size:leaf ~element ~who ~start:first ~finish:last ~fold combine
  in
  let rec collect first last others =
    if last < own_first || own_last < first then others
    else if own_first <= first && last <= own_last then
      Node { first; last; value = whole first last } :: others
    else if last - first < leaf then
      let first = Int.max first own_first and last = Int.min last own_last in
      Elements { first; values = Weft.Array.init (last - first + 1) (fun i -> element (first + i)) } :: others
    else
      let middle = Reduction_tree.middle first last in
      collect first middle (collect (middle + 1) last others)
  in
  if Array.length block = 0 then [] else collect 0 (length - 1) []

let assemble ~length ~leaf combine given =
  let nodes = Hashtbl.create 64 and elements = Hashtbl.create 64 in
  let add = function
    | Node { first; last; value } -> Hashtbl.replace nodes (first, last) value
    | Elements { first; values } -> Hashtbl.replace elements first values
  in
  Array.iter (List.iter add) given;
  (* The elements from [i] to [last], behind [acc]. *)
  let rec fold acc i last =
    if i > last then acc
    else
      let values = Hashtbl.find elements i in
      fold (Array.fold_left combine acc values) (i + Array.length values) last
  in
  let leaf_of first last =
    let values = Hashtbl.find elements first in
    let n = Array.length values in
    fold (Array.fold_left combine values.(0) (Array.sub values 1 (n - 1))) (first + n) last
  in
  let rec value first last =
    match Hashtbl.find_opt nodes (first, last) with
    | Some v -> v
    | None when last - first < leaf -> leaf_of first last
    | None ->
        let middle = Reduction_tree.middle first last in
        let left = value first middle in
        combine left (value (middle + 1) last)
  in
  value 0 (length - 1)

let map_reduce ~who w ~length ~first f combine init block =
  let leaf = Grain.leaves_of_tree length in
  let given = Exchanges.all_gather w (fun () -> own ~who ~length ~leaf ~first f combine block) in
  Exchanges.together w (fun () -> combine init (assemble ~length ~leaf combine given))
