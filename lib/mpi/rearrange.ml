(* Each rank's elements are in the order of their indices, before and after; so are those that go from one
   rank to another, and need no indices with them. *)

let deal w ~from l local =
  let owner = Distribution.owner l and index = Distribution.global_index from ~rank:(World.rank w) in
  let sizes = Array.make (World.size w) 0 in
  let count j _ =
    let r = owner (index j) in
    sizes.(r) <- sizes.(r) + 1
  in
  Array.iteri count local;
  let parts = Array.map (fun n -> if n = 0 then [||] else Array.make n local.(0)) sizes in
  let filled = Array.make (World.size w) 0 in
  let fill j x =
    let r = owner (index j) in
    parts.(r).(filled.(r)) <- x;
    filled.(r) <- filled.(r) + 1
  in
  Array.iteri fill local;
  parts

(* [count] elements, of which [owner j] says in whose part it is; those of a part in their order. *)
let collect count owner parts =
  let taken = Array.make (Array.length parts) 0 in
  let next j =
    let r = owner j in
    let k = taken.(r) in
    taken.(r) <- k + 1;
    parts.(r).(k)
  in
  Array.init count next

let redistribute w ~from l local =
  if World.size w = 1 || from = l then Array.copy local
  else
    let rank = World.rank w in
    let parts = Exchanges.all_to_all w (fun () -> deal w ~from l local) in
    let index = Distribution.global_index l ~rank in
    collect (Distribution.count l ~rank) (fun j -> Distribution.owner from (index j)) parts

let concat l parts =
  match Distribution.distribution l with
  | Block -> Array.concat (Array.to_list parts)
  | Cyclic | Block_cyclic _ -> collect (Distribution.length l) (Distribution.owner l) parts

(* What of [sorted], whose first element is at [first], belongs to rank [r]. *)
let part_for l sorted first r =
  let low = Int.max first (Distribution.global_index l ~rank:r 0) in
  let behind = Distribution.global_index l ~rank:r (Distribution.count l ~rank:r) in
  let behind = Int.min (first + Array.length sorted) behind in
  if low < behind then Array.sub sorted (low - first) (behind - low) else [||]

let sort w l compare local =
  let local = Array.copy local in
  if World.size w = 1 || Distribution.length l = 0 then begin
    Weft.Array.sort compare local;
    local
  end
  else begin
    let part = Rank_arrays.exchange_parts w compare local in
    let length () =
      Weft.Array.sort compare part;
      Array.length part
    in
    let first = (Collectives.offsets (Exchanges.all_gather w length)).(World.rank w) in
    let parts = Exchanges.all_to_all w (fun () -> Array.init (World.size w) (part_for l part first)) in
    Array.concat (Array.to_list parts)
  end
