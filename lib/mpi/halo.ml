type 'a boundary = Periodic | Nearest | Outside of (int -> 'a)

(* The index of the element that a cell at place [i], which may be outside of the array, is a copy of. *)
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

(* What a rank needs of another one: the latter sends it in this order. *)
let needed l ~width boundary ~rank ~of_rank =
  List.filter (fun i -> Distribution.owner l i = of_rank) (indices l ~width boundary ~rank)

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
  let got = Hashtbl.create 4 in
  List.iter2
    (fun partner part -> Hashtbl.replace got partner (Array.to_seq part))
    partners
    (Exchanges.swap w partners (fun () -> List.map for_partner partners));
  let next_of owner =
    let v, rest = Option.get (Seq.uncons (Hashtbl.find got owner)) in
    Hashtbl.replace got owner rest;
    v
  in
  let cell place =
    match (index boundary n place, boundary) with
    | None, Outside f -> f place
    | None, (Periodic | Nearest) -> invalid_arg "Weft_mpi: internal error: a cell without an element"
    | Some i, _ ->
        let owner = Distribution.owner l i in
        if owner = rank then own i else next_of owner
  in
  let halo = Array.of_list (List.map cell (places l ~width ~rank)) in
  if Array.length halo = 0 then Array.copy local
  else Array.concat [ Array.sub halo 0 width; local; Array.sub halo width width ]
