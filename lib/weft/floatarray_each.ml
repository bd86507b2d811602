external length : floatarray -> int = "%floatarray_length"
external unsafe_get : floatarray -> int -> float = "%floatarray_unsafe_get"
external unsafe_set : floatarray -> int -> float -> unit = "%floatarray_unsafe_set"

let map_inplace f a =
  Loop.blocks ~who:"Weft.Floatarray.map_inplace" ~start:0
    ~finish:(length a - 1)
    (fun first last ->
      for i = first to last do
        unsafe_set a i (f (unsafe_get a i))
      done)

let mapi_inplace f a =
  Loop.blocks ~who:"Weft.Floatarray.mapi_inplace" ~start:0
    ~finish:(length a - 1)
    (fun first last ->
      for i = first to last do
        unsafe_set a i (f i (unsafe_get a i))
      done)

let iter2 f a b =
  let who = "Weft.Floatarray.iter2" in
  Bounds.same who (length a) (length b);
  Loop.blocks ~who ~start:0
    ~finish:(length a - 1)
    (fun first last ->
      for i = first to last do
        f (unsafe_get a i) (unsafe_get b i)
      done)

let iter_for who pos len f a =
  let start, finish = Bounds.range who pos len (length a) in
  Loop.blocks ~who ~start ~finish (fun first last ->
      for i = first to last do
        f (unsafe_get a i)
      done)

let iter f a = iter_for "Weft.Floatarray.iter" None None f a
let iter_sub ?pos ?len f a = iter_for "Weft.Floatarray.iter_sub" pos len f a

let iteri_for who pos len f a =
  let start, finish = Bounds.range who pos len (length a) in
  Loop.blocks ~who ~start ~finish (fun first last ->
      for i = first to last do
        f i (unsafe_get a i)
      done)

let iteri f a = iteri_for "Weft.Floatarray.iteri" None None f a
let iteri_sub ?pos ?len f a = iteri_for "Weft.Floatarray.iteri_sub" pos len f a
