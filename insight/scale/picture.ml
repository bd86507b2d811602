let width = 720.
let height = 480.
let left = 64.
let right = 24.
let top = 48.
let bottom = 56.

(* Powers of two up to the first that is not less than the argument. *)
let rec ticks n = if n <= 1. then [ 1. ] else ticks (n /. 2.) @ [ Float.pow 2. (Float.round (Float.log2 n)) ]
let ticks n = ticks (Float.pow 2. (Float.ceil (Float.log2 (Float.max 2. n))))

let svg ?(measured = []) ~program (c : Curve.t) =
  let b = Buffer.create 8192 in
  let line fmt = Printf.ksprintf (fun s -> Buffer.add_string b (s ^ "\n")) fmt in
  let measured =
    List.filter_map (fun (w, _) -> Option.map (fun s -> (w, s)) (Words.speed_up_measured measured w)) measured
  in
  let greatest f = List.fold_left (fun m p -> Float.max m (f p)) 1. c.points in
  let most_workers = greatest (fun p -> float_of_int p.workers) in
  let most =
    List.fold_left
      (fun m (_, s) -> Float.max m s)
      (greatest (fun p -> Float.max p.upper (Option.value p.simulated ~default:1.)))
      measured
  in
  let x_ticks = ticks most_workers and y_ticks = ticks most in
  let last l = List.nth l (List.length l - 1) in
  let along n most = if most <= 1. then 0. else Float.log2 (Float.max 0.5 n) /. Float.log2 most in
  let x n = left +. ((width -. left -. right) *. along n (last x_ticks)) in
  let y s = height -. bottom -. ((height -. top -. bottom) *. Float.max 0. (along s (last y_ticks))) in
  let xy n s = Printf.sprintf "%.1f,%.1f" (x (float_of_int n)) (y s) in
  let path f points = String.concat " " (List.map f points) in
  line
    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" font-family=\"sans-serif\" \
     font-size=\"12\">"
    width height;
  line "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>";
  line "<text x=\"%.0f\" y=\"24\" font-size=\"15\">Speed-up in Weft's pools: %s</text>" left
    (Weft_files.Foreign_text.markup program);
  List.iter
    (fun n ->
      line "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#e0e0e0\"/>" (x n) top (x n)
        (height -. bottom);
      line "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.0f</text>" (x n) (height -. bottom +. 18.) n)
    x_ticks;
  List.iter
    (fun s ->
      line "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#e0e0e0\"/>" left (y s)
        (width -. right) (y s);
      line "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>" (left -. 8.) (y s +. 4.) s)
    y_ticks;
  line "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">workers</text>" (width /. 2.) (height -. 14.);
  let upper = path (fun (p : Curve.point) -> xy p.workers p.upper) c.points in
  let lower = path (fun (p : Curve.point) -> xy p.workers p.lower) (List.rev c.points) in
  line "<polygon points=\"%s %s\" fill=\"#cfe2f3\" stroke=\"none\"/>" upper lower;
  line "<polyline points=\"%s\" fill=\"none\" stroke=\"#3d85c6\" stroke-dasharray=\"6 3\"/>" upper;
  let simulated =
    List.filter_map (fun (p : Curve.point) -> Option.map (fun s -> (p.workers, s)) p.simulated) c.points
  in
  if simulated <> [] then
    line "<polyline points=\"%s\" fill=\"none\" stroke=\"#0b5394\" stroke-width=\"2\"/>"
      (path (fun (n, s) -> xy n s) simulated);
  List.iter
    (fun (n, s) ->
      line "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"#cc4125\"/>" (x (float_of_int n)) (y s))
    measured;
  let key i colour text =
    let at = top +. 16. +. (18. *. float_of_int i) in
    line "<rect x=\"%.0f\" y=\"%.1f\" width=\"12\" height=\"12\" fill=\"%s\"/>" (left +. 12.) (at -. 10.)
      colour;
    line "<text x=\"%.0f\" y=\"%.1f\">%s</text>" (left +. 32.) at text
  in
  key 0 "#cfe2f3" "between the bounds";
  if simulated <> [] then key 1 "#0b5394" "simulated work stealing";
  if measured <> [] then key 2 "#cc4125" "measured";
  line "</svg>";
  Buffer.contents b
