type scale = Linear | Logarithmic
type t = { from : float; upto : float; ticks : (float * string) list }

(* Ticks are round numbers: the label shows all their digits. *)
let labelled x =
  let a = Float.abs x in
  let round x = Printf.sprintf "%.6g" x in
  let label =
    if a >= 1e15 then Text.float x
    else if a >= 1e9 then round (x /. 1e9) ^ "G"
    else if a >= 1e6 then round (x /. 1e6) ^ "M"
    else if a >= 1e4 then round (x /. 1e3) ^ "k"
    else if a >= 1e3 then Text.float x
    else round x
  in
  (x, label)

(* {1 Linear} *)

let linear ~most ~least ~greatest =
  let least = Float.min 0. least and greatest = if greatest > 0. then greatest else 1. in
  let raw = (greatest -. least) /. float_of_int (max 2 (most - 3)) in
  let power = 10. ** Float.floor (Float.log10 raw) in
  let step =
    List.find (fun step -> step >= raw *. 0.999) (List.map (( *. ) power) [ 1.; 2.; 2.5; 5.; 10.; 100. ])
  in
  let first = Float.floor (least /. step) and last = Float.ceil (greatest /. step *. 0.999) in
  let count = int_of_float (last -. first) in
  let ticks = List.init (count + 1) (fun i -> labelled ((first +. float_of_int i) *. step)) in
  { from = first *. step; upto = last *. step; ticks }

(* {1 Logarithmic} *)

(* The multiples of powers of ten that get labels, the finest set first. *)
let ladders = [ [ 1.; 1.5; 2.; 3.; 4.; 5.; 7. ]; [ 1.; 2.; 5. ]; [ 1.; 3. ]; [ 1. ] ]
let margin = 1.12

let on_ladder ladder ~from ~upto =
  let first = Float.to_int (Float.floor (Float.log10 from))
  and last = Float.to_int (Float.ceil (Float.log10 upto)) in
  let decades = List.init (last - first + 1) (fun i -> 10. ** float_of_int (first + i)) in
  let all = List.concat_map (fun decade -> List.map (( *. ) decade) ladder) decades in
  List.filter (fun x -> x >= from && x <= upto) all

(* Keeps every n-th tick, if there are very many decades. *)
let thinned ~most ticks =
  let every = (List.length ticks + most - 1) / most in
  List.filteri (fun i _ -> i mod max 1 every = 0) ticks

let logarithmic ~most ~least ~greatest =
  let from = least /. margin and upto = greatest *. margin in
  let candidates = List.map (fun ladder -> on_ladder ladder ~from ~upto) ladders in
  let fits ticks = List.compare_length_with ticks most <= 0 in
  let ticks =
    match List.find_opt fits candidates with
    | Some ticks -> ticks
    | None -> thinned ~most (List.nth candidates (List.length candidates - 1))
  in
  { from; upto; ticks = List.map labelled ticks }

let make ?(most = 8) scale ~least ~greatest =
  let wrong = not (Float.is_finite least && Float.is_finite greatest && least <= greatest) in
  if wrong || (scale = Logarithmic && least <= 0.) then
    invalid_arg (Printf.sprintf "Ticks.make: from %g to %g" least greatest);
  match scale with
  | Linear -> linear ~most ~least ~greatest
  | Logarithmic -> logarithmic ~most ~least ~greatest
