(* The bodies are recursive functions, not [for] loops: they stop at the first answer. *)

let found = Some ()

let exists ?pos ?len p a =
  let who = "Weft.Array.exists" in
  let start, finish = Bounds.range who pos len (Array.length a) in
  let look first last =
    let rec from i = if p (Array.unsafe_get a i) then found else if i < last then from (i + 1) else None in
    from first
  in
  Option.is_some (Search.any ~who ~start ~finish look)

let for_all ?pos ?len p a =
  let who = "Weft.Array.for_all" in
  let start, finish = Bounds.range who pos len (Array.length a) in
  let look first last =
    let rec from i =
      if not (p (Array.unsafe_get a i)) then found else if i < last then from (i + 1) else None
    in
    from first
  in
  Option.is_none (Search.any ~who ~start ~finish look)

let for_none ?pos ?len p a =
  let who = "Weft.Array.for_none" in
  let start, finish = Bounds.range who pos len (Array.length a) in
  let look first last =
    let rec from i = if p (Array.unsafe_get a i) then found else if i < last then from (i + 1) else None in
    from first
  in
  Option.is_none (Search.any ~who ~start ~finish look)

let mem ?pos ?len x a =
  let who = "Weft.Array.mem" in
  let start, finish = Bounds.range who pos len (Array.length a) in
  let look first last =
    let rec from i =
      if compare (Array.unsafe_get a i) x = 0 then found else if i < last then from (i + 1) else None
    in
    from first
  in
  Option.is_some (Search.any ~who ~start ~finish look)

let memq ?pos ?len x a =
  let who = "Weft.Array.memq" in
  let start, finish = Bounds.range who pos len (Array.length a) in
  let look first last =
    let rec from i = if Array.unsafe_get a i == x then found else if i < last then from (i + 1) else None in
    from first
  in
  Option.is_some (Search.any ~who ~start ~finish look)

let find_opt_for who pos len p a =
  let start, finish = Bounds.range who pos len (Array.length a) in
  let look first last =
    let rec from i =
      let x = Array.unsafe_get a i in
      if p x then Some x else if i < last then from (i + 1) else None
    in
    from first
  in
  Search.first ~who ~start ~finish look

let find_opt ?pos ?len p a = find_opt_for "Weft.Array.find_opt" pos len p a

let find ?pos ?len p a =
  match find_opt_for "Weft.Array.find" pos len p a with Some x -> x | None -> raise Not_found

let find_index ?pos ?len p a =
  let who = "Weft.Array.find_index" in
  let start, finish = Bounds.range who pos len (Array.length a) in
  let look first last =
    let rec from i = if p (Array.unsafe_get a i) then Some i else if i < last then from (i + 1) else None in
    from first
  in
  Search.first ~who ~start ~finish look

let find_map ?pos ?len f a =
  let who = "Weft.Array.find_map" in
  let start, finish = Bounds.range who pos len (Array.length a) in
  let look first last =
    let rec from i =
      match f (Array.unsafe_get a i) with
      | Some _ as answer -> answer
      | None -> if i < last then from (i + 1) else None
    in
    from first
  in
  Search.first ~who ~start ~finish look

let find_mapi ?pos ?len f a =
  let who = "Weft.Array.find_mapi" in
  let start, finish = Bounds.range who pos len (Array.length a) in
  let look first last =
    let rec from i =
      match f i (Array.unsafe_get a i) with
      | Some _ as answer -> answer
      | None -> if i < last then from (i + 1) else None
    in
    from first
  in
  Search.first ~who ~start ~finish look
