type t = { light : string; dark : string; variable : string }

let series =
  [|
    { light = "#0072b2"; dark = "#56a8e0"; variable = "--blue" };
    { light = "#d55e00"; dark = "#ff8a3d"; variable = "--vermilion" };
    { light = "#009e73"; dark = "#2fc79a"; variable = "--green" };
    { light = "#b8588f"; dark = "#e29ac6"; variable = "--purple" };
    { light = "#b87d00"; dark = "#f0b429"; variable = "--orange" };
    { light = "#3f8fb5"; dark = "#9ad4f2"; variable = "--sky" };
  |]

let ink = { light = "#1a1a1a"; dark = "#e8e8e8"; variable = "--ink" }
let faint = { light = "#6f6f6f"; dark = "#a3a3a3"; variable = "--faint" }
let grid = { light = "#dddddd"; dark = "#3a3f45"; variable = "--grid" }
let all = ink :: faint :: grid :: Array.to_list series
let count = Array.length series
let of_series colour = series.(colour mod count)

(* Circle, square, triangle up, diamond, triangle down, pentagon. Each time the colours begin again, the
   next shape is used. *)
let shapes = [| 7; 5; 9; 13; 11; 15 |]
let point_type colour = shapes.((colour + (colour / count)) mod count)
let dashes = [| "1"; "(9,4)"; "(2,3)" |]
let dash_type colour = dashes.(colour / count mod Array.length dashes)
