open Weft_platform

(* The bodies are recursive functions, not [for] loops: they stop at the first answer. *)

let found = Some ()

let exists_for who pos len p a =
  let start, finish = Bounds.range who pos len (Array.length a) in
  let look first last =
    let rec from i = if p (Array.unsafe_get a i) then found else if i < last then from (i + 1) else None in
    from first
  in
  Option.is_some (Search.any ~code:(Closure.code p) ~who ~start ~finish look)

let exists p a = exists_for "Weft.Array.exists" None None p a
let exists_sub ?pos ?len p a = exists_for "Weft.Array.exists_sub" pos len p a

let for_all_for who pos len p a =
  let start, finish = Bounds.range who pos len (Array.length a) in
  let look first last =
    let rec from i =
      if not (p (Array.unsafe_get a i)) then found else if i < last then from (i + 1) else None
    in
    from first
  in
  Option.is_none (Search.any ~code:(Closure.code p) ~who ~start ~finish look)

let for_all p a = for_all_for "Weft.Array.for_all" None None p a
let for_all_sub ?pos ?len p a = for_all_for "Weft.Array.for_all_sub" pos len p a
let for_none ?pos ?len p a = not (exists_for "Weft.Array.for_none" pos len p a)

let some_pair who ~code p a b =
  Bounds.same who (Array.length a) (Array.length b);
  let look first last =
    let rec from i =
      if p (Array.unsafe_get a i) (Array.unsafe_get b i) then found
      else if i < last then from (i + 1)
      else None
    in
    from first
  in
  Option.is_some (Search.any ~code ~who ~start:0 ~finish:(Array.length a - 1) look)

let exists2 p a b = some_pair "Weft.Array.exists2" ~code:(Closure.code p) p a b
let for_all2 p a b = not (some_pair "Weft.Array.for_all2" ~code:(Closure.code p) (fun x y -> not (p x y)) a b)

let mem_for who pos len x a =
  let start, finish = Bounds.range who pos len (Array.length a) in
  let look first last =
    let rec from i =
      if compare (Array.unsafe_get a i) x = 0 then found else if i < last then from (i + 1) else None
    in
    from first
  in
  Option.is_some (Search.any ~code:(Closure.code look) ~who ~start ~finish look)

let mem x a = mem_for "Weft.Array.mem" None None x a
let mem_sub ?pos ?len x a = mem_for "Weft.Array.mem_sub" pos len x a

let memq_for who pos len x a =
  let start, finish = Bounds.range who pos len (Array.length a) in
  let look first last =
    let rec from i = if Array.unsafe_get a i == x then found else if i < last then from (i + 1) else None in
    from first
  in
  Option.is_some (Search.any ~code:(Closure.code look) ~who ~start ~finish look)

let memq x a = memq_for "Weft.Array.memq" None None x a
let memq_sub ?pos ?len x a = memq_for "Weft.Array.memq_sub" pos len x a

let find_opt_for who pos len p a =
  let start, finish = Bounds.range who pos len (Array.length a) in
  let look first last =
    let rec from i =
      let x = Array.unsafe_get a i in
      if p x then Some x else if i < last then from (i + 1) else None
    in
    from first
  in
  Search.first ~code:(Closure.code p) ~who ~start ~finish look

let find_opt p a = find_opt_for "Weft.Array.find_opt" None None p a
let find_opt_sub ?pos ?len p a = find_opt_for "Weft.Array.find_opt_sub" pos len p a

let find ?pos ?len p a =
  match find_opt_for "Weft.Array.find" pos len p a with Some x -> x | None -> raise Not_found

let find_index_for who pos len p a =
  let start, finish = Bounds.range who pos len (Array.length a) in
  let look first last =
    let rec from i = if p (Array.unsafe_get a i) then Some i else if i < last then from (i + 1) else None in
    from first
  in
  Search.first ~code:(Closure.code p) ~who ~start ~finish look

let find_index p a = find_index_for "Weft.Array.find_index" None None p a
let find_index_sub ?pos ?len p a = find_index_for "Weft.Array.find_index_sub" pos len p a

let find_map_for who pos len f a =
  let start, finish = Bounds.range who pos len (Array.length a) in
  let look first last =
    let rec from i =
      match f (Array.unsafe_get a i) with
      | Some _ as answer -> answer
      | None -> if i < last then from (i + 1) else None
    in
    from first
  in
  Search.first ~code:(Closure.code f) ~who ~start ~finish look

let find_map f a = find_map_for "Weft.Array.find_map" None None f a
let find_map_sub ?pos ?len f a = find_map_for "Weft.Array.find_map_sub" pos len f a

let find_mapi_for who pos len f a =
  let start, finish = Bounds.range who pos len (Array.length a) in
  let look first last =
    let rec from i =
      match f i (Array.unsafe_get a i) with
      | Some _ as answer -> answer
      | None -> if i < last then from (i + 1) else None
    in
    from first
  in
  Search.first ~code:(Closure.code f) ~who ~start ~finish look

let find_mapi f a = find_mapi_for "Weft.Array.find_mapi" None None f a
let find_mapi_sub ?pos ?len f a = find_mapi_for "Weft.Array.find_mapi_sub" pos len f a
