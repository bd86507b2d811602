open Weft_platform

external length : floatarray -> int = "%floatarray_length"
external unsafe_get : floatarray -> int -> float = "%floatarray_unsafe_get"

(* The bodies are recursive functions, not [for] loops: they stop at the first answer. *)

let found = Some ()

let exists_for who pos len p a =
  let start, finish = Bounds.range who pos len (length a) in
  let look first last =
    let rec from i = if p (unsafe_get a i) then found else if i < last then from (i + 1) else None in
    from first
  in
  Option.is_some (Search.any ~code:(Closure.code p) ~who ~start ~finish look)

let exists p a = exists_for "Weft.Floatarray.exists" None None p a
let exists_sub ?pos ?len p a = exists_for "Weft.Floatarray.exists_sub" pos len p a

let for_all_for who pos len p a =
  let start, finish = Bounds.range who pos len (length a) in
  let look first last =
    let rec from i = if not (p (unsafe_get a i)) then found else if i < last then from (i + 1) else None in
    from first
  in
  Option.is_none (Search.any ~code:(Closure.code p) ~who ~start ~finish look)

let for_all p a = for_all_for "Weft.Floatarray.for_all" None None p a
let for_all_sub ?pos ?len p a = for_all_for "Weft.Floatarray.for_all_sub" pos len p a

let find_index_for who pos len p a =
  let start, finish = Bounds.range who pos len (length a) in
  let look first last =
    let rec from i = if p (unsafe_get a i) then Some i else if i < last then from (i + 1) else None in
    from first
  in
  Search.first ~code:(Closure.code p) ~who ~start ~finish look

let find_index p a = find_index_for "Weft.Floatarray.find_index" None None p a
let find_index_sub ?pos ?len p a = find_index_for "Weft.Floatarray.find_index_sub" pos len p a

let some who ~code holds a =
  let look first last =
    let rec from i = if holds (unsafe_get a i) then found else if i < last then from (i + 1) else None in
    from first
  in
  Option.is_some (Search.any ~code ~who ~start:0 ~finish:(length a - 1) look)

let mem x a =
  let holds y = Float.compare y x = 0 in
  some "Weft.Floatarray.mem" ~code:(Closure.code holds) holds a

let mem_ieee x a =
  let holds y = y = x in
  some "Weft.Floatarray.mem_ieee" ~code:(Closure.code holds) holds a

let first who ~code answer a =
  let look first last =
    let rec from i =
      match answer i (unsafe_get a i) with
      | Some _ as answer -> answer
      | None -> if i < last then from (i + 1) else None
    in
    from first
  in
  Search.first ~code ~who ~start:0 ~finish:(length a - 1) look

let find_opt p a =
  first "Weft.Floatarray.find_opt" ~code:(Closure.code p) (fun _ x -> if p x then Some x else None) a

let find_map f a = first "Weft.Floatarray.find_map" ~code:(Closure.code f) (fun _ x -> f x) a
let find_mapi f a = first "Weft.Floatarray.find_mapi" ~code:(Closure.code f) f a
