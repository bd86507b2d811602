type 'a boundary = Periodic | Nearest | Outside of (int -> 'a)

(* The element of which the cell at place [i] is a copy, in an array of [n] elements. Places beyond its ends
   are below 0, and from [n] on. [None]: the boundary's function says what is there. *)
let index boundary n i =
  if 0 <= i && i < n then Some i
  else
    match boundary with
    | Periodic -> Some (((i mod n) + n) mod n)
    | Nearest -> Some (if i < 0 then 0 else n - 1)
    | Outside _ -> None

(* The places of a rank's halo, from left to right. *)
let places l ~width ~rank =
  let count = Distribution.count l ~rank in
  if count = 0 then []
  else
    let first = Distribution.global_index l ~rank 0 in
    List.init width (fun k -> first - width + k) @ List.init width (fun k -> first + count + k)

let indices l ~width boundary ~rank =
  List.filter_map (index boundary (Distribution.length l)) (places l ~width ~rank)

(* What a rank needs of another one, each element once: the latter sends it in this order. *)
let needed l ~width boundary ~rank ~of_rank =
  List.filter (fun i -> Distribution.owner l i = of_rank) (indices l ~width boundary ~rank)
  |> List.sort_uniq Int.compare

let around w l ~width boundary local =
  let rank = World.rank w and n = Distribution.length l in
  let partners =
    List.sort_uniq Int.compare (List.map (Distribution.owner l) (indices l ~width boundary ~rank))
    |> List.filter (( <> ) rank)
  in
  let own i = local.(Distribution.local_index l i) in
  let for_partner partner =
    Array.of_list (List.map own (needed l ~width boundary ~rank:partner ~of_rank:rank))
  in
  let got = Hashtbl.create 64 in
  let keep partner part =
    List.iteri (fun k i -> Hashtbl.add got i part.(k)) (needed l ~width boundary ~rank ~of_rank:partner)
  in
  List.iter2 keep partners (Exchanges.swap w partners (fun () -> List.map for_partner partners));
  let cell place =
    match (index boundary n place, boundary) with
    | Some i, _ -> if Distribution.owner l i = rank then own i else Hashtbl.find got i
    | None, Outside f -> f place
    | None, (Periodic | Nearest) -> invalid_arg "Weft_mpi: internal error: a cell without an element"
  in
  let halo = Array.of_list (List.map cell (places l ~width ~rank)) in
  if Array.length halo = 0 then Array.copy local
  else Array.concat [ Array.sub halo 0 width; local; Array.sub halo width width ]
