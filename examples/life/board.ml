type t = { width : int; height : int; cells : bool array }

let make ~width ~height alive =
  { width; height; cells = Weft.Array.init (width * height) (fun i -> alive ~x:(i mod width) ~y:(i / width)) }

let is_alive t ~x ~y = t.cells.((y * t.width) + x)

let step t =
  let alive ~x ~y =
    let left = if x = 0 then t.width - 1 else x - 1 and right = if x = t.width - 1 then 0 else x + 1 in
    let above = if y = 0 then t.height - 1 else y - 1 and below = if y = t.height - 1 then 0 else y + 1 in
    let at x y = Bool.to_int (is_alive t ~x ~y) in
    let neighbours =
      at left above + at x above + at right above + at left y + at right y + at left below + at x below
      + at right below
    in
    neighbours = 3 || (neighbours = 2 && is_alive t ~x ~y)
  in
  make ~width:t.width ~height:t.height alive

let population t = Weft.Array.count Fun.id t.cells
let row t y = String.init t.width (fun x -> if is_alive t ~x ~y then '#' else '.')
