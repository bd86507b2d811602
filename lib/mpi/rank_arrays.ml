let mapi w f a = Rank_loops.init ~who:"Weft_mpi.mapi" w (Array.length a) (fun i -> f i a.(i))
let map w f a = Rank_loops.init ~who:"Weft_mpi.map" w (Array.length a) (fun i -> f a.(i))

(* --- groups --- *)

type ('k, 'g) group = { key : 'k; mutable parts : 'g list (* the last first *) }

(* Goes through the pieces from left to right: so groups come in the order of their first elements. *)
let merge pieces =
  let known = Hashtbl.create 64 and groups = ref [] in
  let add (key, part) =
    match Hashtbl.find_opt known key with
    | Some group -> group.parts <- part :: group.parts
    | None ->
        let group = { key; parts = [ part ] } in
        Hashtbl.add known key group;
        groups := group :: !groups
  in
  List.iter (Array.iter add) pieces;
  Array.of_list (List.rev !groups)

(* Ranks send keys and indices: all have the elements. *)
let group_by w ~key a =
  World.exclusive ~who:"Weft_mpi.group_by" w @@ fun () ->
  let n = Array.length a in
  if World.size w = 1 || n = 0 then Weft.Array.group_by ~key a
  else
    let piece first last =
      Weft.Array.group_by ~key:(fun i -> key a.(i)) (Array.init (last - first + 1) (fun i -> first + i))
    in
    let elements = List.rev_map (Array.map (fun i -> a.(i))) in
    let groups = merge (Rank_loops.of_pieces w n piece) in
    Weft.Array.map (fun group -> (group.key, Array.concat (elements group.parts))) groups

(* --- prefix sums --- *)

let sum_of combine a first last =
  let acc = ref a.(first) in
  for i = first + 1 to last do
    acc := combine !acc a.(i)
  done;
  !acc

(* The sums of all blocks to the left of each block; [None] for the first. *)
let sums_before combine sums count =
  let before = Array.make count None in
  for k = 1 to count - 1 do
    before.(k) <- Some (match before.(k - 1) with None -> sums.(k - 1) | Some b -> combine b sums.(k - 1))
  done;
  before

let scan_block combine a before first last =
  let acc = ref (match before with None -> a.(first) | Some b -> combine b a.(first)) in
  let r = Array.make (last - first + 1) !acc in
  for i = first + 1 to last do
    acc := combine !acc a.(i);
    r.(i - first) <- !acc
  done;
  r

let scan w combine a =
  World.exclusive ~who:"Weft_mpi.scan" w @@ fun () ->
  let n = Array.length a in
  if World.size w = 1 || n = 0 then Weft.Array.scan combine a
  else begin
    let block = Grain.scan_block n in
    let count = (n + block - 1) / block in
    let first k = k * block and last k = Int.min n ((k + 1) * block) - 1 in
    let sums = Rank_loops.init_inside w (count - 1) (fun k -> sum_of combine a (first k) (last k)) in
    let before = Exchanges.together w (fun () -> sums_before combine sums count) in
    let block k = scan_block combine a before.(k) (first k) (last k) in
    Array.concat (Array.to_list (Rank_loops.init_inside w count block))
  end

(* --- sorting --- *)

let samples_per_rank ranks = 8 * ranks

(* At equal distances, all through [a]: a part that is left out would go to one rank. *)
let sample_of a ranks =
  let n = Array.length a and s = samples_per_rank ranks in
  if n <= s then a else Array.init s (fun i -> a.(i * n / s))

(* The index of the first element of [a], which is sorted, that is not less than [x]. *)
let lower_bound compare a x =
  let rec between low high =
    if low = high then low
    else
      let m = (low + high) / 2 in
      if compare a.(m) x < 0 then between (m + 1) high else between low m
  in
  between 0 (Array.length a)

let bounds compare samples ranks =
  let all = Array.concat (Array.to_list samples) in
  Weft.Array.sort compare all;
  let n = Array.length all in
  Array.init (ranks - 1) (fun i -> all.((i + 1) * n / ranks))

(* The part of [a] for each rank: what is not less than the bound before it, and less than that behind it. *)
let parts compare a bounds =
  let cuts = Array.map (lower_bound compare a) bounds in
  let ends = Array.append cuts [| Array.length a |] and starts = Array.append [| 0 |] cuts in
  Array.map2 (fun first behind -> Array.sub a first (behind - first)) starts ends

let sorted compare a =
  Weft.Array.sort compare a;
  a

let exchange_parts w compare mine =
  let ranks = World.size w in
  let samples = Exchanges.all_gather w (fun () -> sample_of (sorted compare mine) ranks) in
  let got = Exchanges.all_to_all w (fun () -> parts compare mine (bounds compare samples ranks)) in
  Array.concat (Array.to_list got)

let sort w compare a =
  let who = "Weft_mpi.sort" in
  World.exclusive ~who w @@ fun () ->
  let ranks = World.size w and rank = World.rank w and n = Array.length a in
  if ranks = 1 || n < 2 then sorted compare (Array.copy a)
  else begin
    let layout = Distribution.layout ~who Block ~length:n ~ranks in
    let first = Distribution.global_index layout ~rank 0 and count = Distribution.count layout ~rank in
    let part = exchange_parts w compare (Array.sub a first count) in
    Array.concat (Array.to_list (Exchanges.all_gather w (fun () -> sorted compare part)))
  end
