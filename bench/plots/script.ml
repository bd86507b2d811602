type format = Svg | Png | Pdf

let formats = [ Svg; Png; Pdf ]
let suffix = function Svg -> "svg" | Png -> "png" | Pdf -> "pdf"
let line fmt = Printf.sprintf (fmt ^^ "\n")
let lines = String.concat ""
let text = Text.gnuplot

(* {1 The sheet} *)

let width = 460
let usual_height = 330
let bar_height = 22

let height (chart : Chart.t) =
  match chart.body with
  | Bars { bars; _ } -> 96 + (bar_height * max 2 (List.length bars))
  | Curves _ | Histogram _ -> usual_height

(* One pixel of the vector picture is 3 pixels of the bitmap, and 0.24 mm on paper, so that all look
   alike. *)
let terminal format ~height =
  match format with
  | Svg ->
      line "set terminal svg size %d,%d dynamic noenhanced font 'sans-serif,12' background '#ffffff'" width
        height
  | Png ->
      line
        "set terminal pngcairo size %d,%d noenhanced font 'Sans,10' fontscale 2.7 linewidth 2.7 pointscale \
         2.7"
        (3 * width) (3 * height)
  | Pdf ->
      line "set terminal pdfcairo size %.2fcm,%.2fcm noenhanced font 'Sans,9'"
        (float_of_int width *. 0.024)
        (float_of_int height *. 0.024)

let longest_title = 62
let longest_label = 34

(* [cut n text] is [text] cut to at most [n] characters (bytes, where it is not UTF-8). *)
let cut n text =
  let rec after i count =
    if i >= String.length text then None
    else if count = n - 3 then Some i
    else after (i + Uchar.utf_decode_length (String.get_utf_8_uchar text i)) (count + 1)
  in
  if String.length text <= n then text
  else match after 0 0 with None -> text | Some i -> String.sub text 0 i ^ "..."

let rgb (colour : Palette.t) = Printf.sprintf "linecolor rgb '%s'" colour.light

let common (chart : Chart.t) =
  lines
    [
      line "set encoding utf8";
      (* Not as gnuplot's title: that is centred above the axes, so a long one would not fit into the
         picture. *)
      line "set tmargin 2.2";
      line "set label %s at screen 0.02, screen 1 offset 0,-1 left textcolor rgb '%s'"
        (text (cut longest_title chart.title))
        Palette.ink.light;
      line "set border 3 %s linewidth 1" (rgb Palette.ink);
      line "set tics nomirror textcolor rgb '%s'" Palette.ink.light;
      line
        "set key outside bottom center horizontal Left reverse maxcols 3 width -1 samplen 2 spacing 1.1 font \
         ',11' textcolor rgb '%s'"
        Palette.ink.light;
      line "set style fill solid 0.8 noborder";
      line "set errorbars small";
    ]

let tics axis ticks =
  let tic (at, label) = Printf.sprintf "%s %.12g" (Text.gnuplot_tic label) at in
  line "set %stics (%s) scale 0.6" axis (String.concat ", " (List.map tic ticks))

let grid axis = line "set grid %stics linetype 1 %s linewidth 0.7" axis (rgb Palette.grid)

(* The title of the x axis keeps a distance from the key below it. *)
let title axis name =
  line "set %slabel %s offset 0,%s textcolor rgb '%s'" axis (text name)
    (if axis = "x" then "0.4" else "0")
    Palette.ink.light

let range axis ~from ~upto = line "set %srange [%.12g:%.12g]" axis from upto

let logscale axis (scale : Ticks.scale) =
  match scale with Linear -> "" | Logarithmic -> line "set logscale %s 10" axis

(* [by_value axis ranges ~also ~worth ~below ~room ~most] is an axis that holds [ranges] and [also]: its
   commands, where it begins, and its scale. It is logarithmic if the values are [worth] times apart, and
   then begins at the least value divided by [below]. [room] is the free part at its end. *)
let by_value axis ranges ~also ~worth ~below ~room ~most =
  let scale : Ticks.scale =
    if
      Chart.logarithmic ~worth
        (ranges @ List.map (fun x -> { Chart.middle = x; least = x; greatest = x }) also)
    then Logarithmic
    else Linear
  in
  let least = List.fold_left (fun x (r : Chart.range) -> Float.min x r.least) Float.infinity ranges
  and greatest =
    List.fold_left (fun x (r : Chart.range) -> Float.max x r.greatest) Float.neg_infinity ranges
  in
  let least = List.fold_left Float.min least also and greatest = List.fold_left Float.max greatest also in
  let least = match scale with Linear -> least | Logarithmic -> least /. below in
  let axis_of = Ticks.make scale ~most ~least ~greatest in
  let upto =
    match scale with
    | Linear -> axis_of.upto +. (room *. (axis_of.upto -. axis_of.from))
    | Logarithmic -> axis_of.upto *. ((axis_of.upto /. axis_of.from) ** room)
  in
  ( lines [ logscale axis scale; range axis ~from:axis_of.from ~upto; tics axis axis_of.ticks; grid axis ],
    axis_of.from,
    scale )

(* {1 Data} *)

let block name rows =
  let row numbers = String.concat " " (List.map (Printf.sprintf "%.12g") numbers) ^ "\n" in
  line "$%s << END" name ^ lines (List.map row rows) ^ line "END"

(* A block of data for each part, and the command that plots them. *)
let plotted parts =
  let name i = Printf.sprintf "d%d" i in
  lines (List.mapi (fun i (rows, _) -> block (name i) rows) parts)
  ^
  match parts with
  | [] -> ""
  | _ ->
      let clauses = List.mapi (fun i (_, clause) -> Printf.sprintf "$%s %s" (name i) clause) parts in
      line "plot %s" (String.concat ", \\\n  " clauses)

(* {1 Bodies} *)

(* Each series lies a little further to the right than the one before, so that their error bars do not
   overlap. *)
let series ~step i ({ name; colour; points } : Chart.series) =
  let row ({ at; value } : Chart.point) =
    [ at +. (step *. float_of_int i); value.middle; value.least; value.greatest ]
  in
  ( List.map row points,
    Printf.sprintf
      "using 1:2:3:4 with yerrorlines %s dashtype %s linewidth 1.6 pointtype %d pointsize 0.6 title %s"
      (rgb (Palette.of_series colour))
      (Palette.dash_type colour) (Palette.point_type colour)
      (text (cut longest_label name)) )

let reference ({ label; style; through } : Chart.reference) =
  let colour, dash, weight =
    match style with
    | `Baseline -> (Palette.ink, "1", 1.4)
    | `Ideal -> (Palette.faint, "(12,6)", 1.4)
    | `Fitted -> (Palette.faint, "(2,4)", 1.8)
  in
  ( List.map (fun (x, y) -> [ x; y ]) through,
    Printf.sprintf "using 1:2 with lines %s dashtype %s linewidth %.1f title %s" (rgb colour) dash weight
      (text (cut 40 label)) )

let limit_line (at, what) =
  line "set arrow from %.12g, graph 0 to %.12g, graph 1 nohead back %s dashtype (3,5) linewidth 1" at at
    (rgb Palette.faint)
  ^ line "set label %s at %.12g, graph 0.97 left offset 0.4,0 textcolor rgb '%s'" (text what) at
      Palette.faint.light

let x_axis ({ title = name; ticks } : Chart.axis) places =
  let places = places @ List.map fst ticks in
  let from = List.fold_left Float.min Float.infinity places
  and upto = List.fold_left Float.max Float.neg_infinity places in
  let margin = Float.max 0.02 ((upto -. from) *. 0.06) in
  lines [ title "x" name; range "x" ~from:(from -. margin) ~upto:(upto +. margin); tics "x" ticks ]

let curves x y measured references limit =
  let ranges =
    List.concat_map
      (fun ({ points; _ } : Chart.series) -> List.map (fun (p : Chart.point) -> p.value) points)
      measured
  in
  let also = List.concat_map (fun ({ through; _ } : Chart.reference) -> List.map snd through) references in
  let places =
    List.concat_map
      (fun ({ points; _ } : Chart.series) -> List.map (fun (p : Chart.point) -> p.at) points)
      measured
    @ List.concat_map (fun ({ through; _ } : Chart.reference) -> List.map fst through) references
  in
  let from = List.fold_left Float.min Float.infinity places
  and upto = List.fold_left Float.max Float.neg_infinity places in
  let y_axis, _, _ = by_value "y" ranges ~also ~worth:6. ~below:1. ~room:0. ~most:8 in
  let step = if List.compare_length_with measured 1 > 0 then 0.008 *. (upto -. from) else 0. in
  lines
    [
      x_axis x places;
      title "y" y;
      y_axis;
      Option.fold limit ~none:"" ~some:limit_line;
      plotted (List.map reference references @ List.mapi (series ~step) measured);
    ]

(* On a logarithmic axis the length of a bar would depend on where the axis begins: so points are drawn
   there. *)
let bars value bars mark =
  let last = List.length bars - 1 in
  let commands, from, scale =
    by_value "x"
      (List.map (fun (b : Chart.bar) -> b.value) bars)
      ~also:(Option.to_list mark) ~worth:20. ~below:1.6 ~room:0.16 ~most:5
  in
  let place i = float_of_int (last - i) in
  let bar i ({ colour; value; _ } : Chart.bar) =
    let y = place i in
    let colour_text = rgb (Palette.of_series colour) in
    match scale with
    | Ticks.Linear ->
        ( [ [ value.middle; y; from; value.middle; y -. 0.34; y +. 0.34 ] ],
          Printf.sprintf "using 1:2:3:4:5:6 with boxxyerror %s notitle" colour_text )
    | Logarithmic ->
        ( [ [ value.middle; y ] ],
          Printf.sprintf "using 1:2 with points %s pointtype %d pointsize 0.9 notitle" colour_text
            (Palette.point_type colour) )
  and ends i ({ value; _ } : Chart.bar) = [ value.middle; place i; value.least; value.greatest ]
  and number i ({ value; _ } : Chart.bar) =
    line "set label %s at %.12g,%.12g left offset 0.7,0 front textcolor rgb '%s'"
      (text (Text.short value.middle))
      value.greatest (place i) Palette.ink.light
  and tic i ({ label; _ } : Chart.bar) = (place i, cut longest_label label) in
  let mark_line at =
    line "set arrow from %.12g, graph 0 to %.12g, graph 1 nohead front %s dashtype (12,6) linewidth 1.2" at at
      (rgb Palette.ink)
  in
  lines
    [
      commands;
      title "x" (match scale with Linear -> value | Logarithmic -> value ^ " (logarithmic)");
      range "y" ~from:(-0.6) ~upto:(float_of_int last +. 0.6);
      tics "y" (List.rev (List.mapi tic bars));
      (match scale with Linear -> "" | Logarithmic -> grid "y");
      Option.fold mark ~none:"" ~some:mark_line;
      lines (List.mapi number bars);
      plotted
        (List.mapi bar bars
        @ [
            ( List.mapi ends bars,
              Printf.sprintf "using 1:2:3:4 with xerrorbars %s linewidth 1.2 pointtype 0 notitle"
                (rgb Palette.ink) );
          ]);
    ]

(* The outline returns to 0 where the next cell does not follow directly. *)
let rec outline = function
  | [] -> []
  | [ ({ from; below; share } : Chart.cell) ] -> [ [ from; share ]; [ below; 0. ] ]
  | { from; below; share } :: (next :: _ as rest) ->
      ([ from; share ] :: (if below < next.from then [ [ below; 0. ] ] else [])) @ outline rest

let histogram x y all =
  let of_one ({ name; colour; cells } : Chart.steps) =
    let outline = match cells with [] -> [] | first :: _ -> [ first.from; 0. ] :: outline cells in
    let colour_text = rgb (Palette.of_series colour) in
    [
      ( outline,
        Printf.sprintf "using 1:2 with fillsteps %s fillstyle transparent solid 0.22 notitle" colour_text );
      ( outline,
        Printf.sprintf "using 1:2 with steps %s dashtype %s linewidth 1.8 title %s" colour_text
          (Palette.dash_type colour)
          (text (cut longest_label name)) );
    ]
  in
  let cells = List.concat_map (fun ({ cells; _ } : Chart.steps) -> cells) all in
  let greatest = List.fold_left (fun most ({ share; _ } : Chart.cell) -> Float.max most share) 0. cells in
  let places = List.concat_map (fun ({ from; below; _ } : Chart.cell) -> [ from; below ]) cells in
  let axis = Ticks.make Linear ~most:8 ~least:0. ~greatest in
  lines
    [
      x_axis x places;
      title "y" y;
      range "y" ~from:axis.from ~upto:axis.upto;
      tics "y" axis.ticks;
      grid "y";
      plotted (List.concat_map of_one all);
    ]

let body : Chart.body -> string = function
  | Curves { x; y; series; references; limit } -> curves x y series references limit
  | Bars { value; bars = all; mark } -> bars value all mark
  | Histogram { x; y; steps } -> histogram x y steps

let draw format ~file chart =
  lines
    [
      line "reset";
      terminal format ~height:(height chart);
      line "set output %s" (text file);
      common chart;
      body chart.body;
      line "unset output";
    ]
