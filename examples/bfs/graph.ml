type t = int array array

(* An edge is one number: [u] in the upper bits, [v] in the lower ones. Each level of the recursion picks a
   quarter of the remaining square, and so one bit of each. *)
let draw random ~scale =
  let rec choose level edge =
    if level = scale then edge
    else
      let quarter = Weft.Random.int random 100 in
      let u, v =
        if quarter < 57 then (0, 0)
        else if quarter < 76 then (0, 1)
        else if quarter < 95 then (1, 0)
        else (1, 1)
      in
      choose (level + 1) (edge lor (u lsl (scale + level)) lor (v lsl level))
  in
  choose 0 0

let random ~seed ~scale ~edges =
  let nodes = 1 lsl scale in
  let upper edge = edge lsr scale and lower edge = edge land (nodes - 1) in
  let back edge = (lower edge lsl scale) lor upper edge in
  let all = Weft.Random.make seed in
  let drawn = Weft.Array.init edges (fun i -> draw (Weft.Random.at all i) ~scale) in
  let forth = Weft.Array.filter (fun edge -> upper edge <> lower edge) drawn in
  let sorted = Weft.Array.sort_uniq Int.compare (Weft.Array.append forth (Weft.Array.map back forth)) in
  let degrees = Weft.Array.histogram ~buckets:nodes upper sorted in
  let starts = Weft.Array.scan_exclusive ( + ) 0 degrees in
  Weft.Array.init nodes (fun u -> Weft.Array.init degrees.(u) (fun i -> lower sorted.(starts.(u) + i)))

let edges graph = Weft.Array.map_reduce Array.length ( + ) 0 graph / 2
