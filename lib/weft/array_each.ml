open Weft_platform

let iter_for who pos len f a =
  let start, finish = Bounds.range who pos len (Array.length a) in
  Short_loop.by_blocks ~code:(Closure.code f) ~start ~finish (fun first last ->
      for i = first to last do
        f (Array.unsafe_get a i)
      done)

let iter f a = iter_for "Weft.Array.iter" None None f a
let iter_sub ?pos ?len f a = iter_for "Weft.Array.iter_sub" pos len f a

let iteri_for who pos len f a =
  let start, finish = Bounds.range who pos len (Array.length a) in
  Short_loop.by_blocks ~code:(Closure.code f) ~start ~finish (fun first last ->
      for i = first to last do
        f i (Array.unsafe_get a i)
      done)

let iteri f a = iteri_for "Weft.Array.iteri" None None f a
let iteri_sub ?pos ?len f a = iteri_for "Weft.Array.iteri_sub" pos len f a

let iter2 f a b =
  let who = "Weft.Array.iter2" in
  Bounds.same who (Array.length a) (Array.length b);
  Short_loop.by_blocks ~code:(Closure.code f) ~start:0
    ~finish:(Array.length a - 1)
    (fun first last ->
      for i = first to last do
        f (Array.unsafe_get a i) (Array.unsafe_get b i)
      done)

let map_inplace_for who pos len f a =
  let start, finish = Bounds.range who pos len (Array.length a) in
  Short_loop.by_blocks ~code:(Closure.code f) ~start ~finish (fun first last ->
      for i = first to last do
        Array.unsafe_set a i (f (Array.unsafe_get a i))
      done)

let map_inplace f a = map_inplace_for "Weft.Array.map_inplace" None None f a
let map_inplace_sub ?pos ?len f a = map_inplace_for "Weft.Array.map_inplace_sub" pos len f a

let mapi_inplace_for who pos len f a =
  let start, finish = Bounds.range who pos len (Array.length a) in
  Short_loop.by_blocks ~code:(Closure.code f) ~start ~finish (fun first last ->
      for i = first to last do
        Array.unsafe_set a i (f i (Array.unsafe_get a i))
      done)

let mapi_inplace f a = mapi_inplace_for "Weft.Array.mapi_inplace" None None f a
let mapi_inplace_sub ?pos ?len f a = mapi_inplace_for "Weft.Array.mapi_inplace_sub" pos len f a
