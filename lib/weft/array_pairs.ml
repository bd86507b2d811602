(* The bodies are recursive functions, not [for] loops: they stop at the first difference. *)

let equal eq a b =
  let n = Array.length a in
  let look first last =
    let rec from i =
      if not (eq (Array.unsafe_get a i) (Array.unsafe_get b i)) then Some ()
      else if i < last then from (i + 1)
      else None
    in
    from first
  in
  n = Array.length b && Option.is_none (Search.any ~who:"Weft.Array.equal" ~start:0 ~finish:(n - 1) look)

let compare cmp a b =
  let n = Array.length a in
  let look first last =
    let rec from i =
      let c = cmp (Array.unsafe_get a i) (Array.unsafe_get b i) in
      if c <> 0 then Some c else if i < last then from (i + 1) else None
    in
    from first
  in
  if n <> Array.length b then Int.compare n (Array.length b)
  else Option.value (Search.first ~who:"Weft.Array.compare" ~start:0 ~finish:(n - 1) look) ~default:0

let mismatch eq a b =
  let n = Array.length a and m = Array.length b in
  let common = Int.min n m in
  let look first last =
    let rec from i =
      if not (eq (Array.unsafe_get a i) (Array.unsafe_get b i)) then Some i
      else if i < last then from (i + 1)
      else None
    in
    from first
  in
  match Search.first ~who:"Weft.Array.mismatch" ~start:0 ~finish:(common - 1) look with
  | Some _ as answer -> answer
  | None -> if n = m then None else Some common
