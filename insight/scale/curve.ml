open Recorded

type point = { workers : int; upper : float; lower : float; simulated : float option }
type t = { points : point list; region : region option; steal : int }

let usual_workers = List.init 11 (fun i -> 1 lsl i)
let seconds ns = float_of_int ns *. 1e-9

let figures (f : Recorded.figures) : Weft.Profile.figures =
  { work = seconds f.work; span = seconds f.span; burdened_span = seconds f.burdened }

let of_figures f ~workers =
  let f = figures f in
  let upper = Weft.Profile.upper_bound f ~workers in
  (Float.min upper (Weft.Profile.lower_bound f ~workers), upper)

let point f ~simulated workers =
  let lower, upper = of_figures f ~workers in
  { workers; upper; lower; simulated }

(* Victims of steals are chosen at random, so the mean of several simulations counts. *)
let seeds = [ 1; 2; 3 ]

let simulated ~steal (t : Recorded.t) workers =
  let add sum seed =
    Result.bind sum (fun sum ->
        Result.map
          (fun (o : Schedule.outcome) -> sum +. float_of_int o.time)
          (Schedule.run ~seed ~workers ~steal t))
  in
  let mean sum = sum /. float_of_int (List.length seeds) in
  Result.map
    (fun sum -> if sum > 0. then Some (float_of_int t.total.work /. mean sum) else None)
    (List.fold_left add (Ok 0.) seeds)

let rec all f = function
  | [] -> Ok []
  | x :: rest -> Result.bind (f x) (fun y -> Result.map (List.cons y) (all f rest))

let make ?(workers = usual_workers) ~steal (t : Recorded.t) =
  let one workers =
    let simulated = if t.is_cut then Ok None else simulated ~steal t workers in
    Result.map (fun simulated -> point t.total ~simulated workers) simulated
  in
  Result.map (fun points -> { points; region = None; steal }) (all one workers)

let of_region ?(workers = usual_workers) (r : region) =
  { points = List.map (point r.figures ~simulated:None) workers; region = Some r; steal = 0 }

let limit (t : Recorded.t) =
  let better best (r : region) =
    match best with Some (b : region) when b.on_path >= r.on_path -> best | _ -> Some r
  in
  match Array.fold_left better None t.regions with Some r when r.on_path > t.elsewhere -> Some r | _ -> None

let enough (f : Recorded.figures) = if f.span = 0 then 1024 else max 1 (f.work / f.span / 10)
