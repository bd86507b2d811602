(* mandelbrot: the Mandelbrot set as a picture. A point takes from one step to thousands, and nobody knows
   how many beforehand: one loop over the rows and one over the points of a row are enough. *)

open Console

type view = { x : float; y : float; span : float  (** from left to right *) }

(* The number of steps in which c = (x, y) leaves the circle of radius 2, and how far out it is then;
   [None] if it stays. *)
let escape ~iterations x y =
  let rec step n a b =
    let a2 = a *. a and b2 = b *. b in
    if a2 +. b2 > 4. then Some (n, a2 +. b2)
    else if n = iterations then None
    else step (n + 1) (a2 -. b2 +. x) ((2. *. a *. b) +. y)
  in
  step 0 0. 0.

(* Colours from one of these to the next in eight steps, and round again. *)
let palette = [| (0, 7, 100); (32, 107, 203); (237, 255, 255); (255, 170, 0); (100, 20, 0) |]

let colour (n, distance) =
  (* Interpolates between steps without logarithms, whose results differ from machine to machine. *)
  let position = float n +. (4. /. distance) in
  let place = position /. 8. in
  let index = int_of_float place in
  let part = place -. float index in
  let entry i = palette.(i mod Array.length palette) in
  let r0, g0, b0 = entry index and r1, g1, b1 = entry (index + 1) in
  let mix a b = int_of_float (float a +. (part *. float (b - a))) in
  (mix r0 r1, mix g0 g1, mix b0 b1)

let draw { x; y; span } ~width ~height ~iterations =
  let picture = Png.create ~width ~height in
  let step = span /. float width in
  let point column row =
    escape ~iterations
      (x +. (step *. (float column -. (float width /. 2.))))
      (y -. (step *. (float row -. (float height /. 2.))))
  in
  Weft.parallel_for ~start:0 ~finish:(height - 1)
    ~body:(fun row ->
      Weft.parallel_for ~start:0 ~finish:(width - 1)
        ~body:(fun column ->
          match point column row with
          | None -> ()
          | Some left ->
              let red, green, blue = colour left in
              Png.set picture ~x:column ~y:row ~red ~green ~blue)
        ())
    ();
  picture

let work output width height iterations view () =
  let picture = draw view ~width ~height ~iterations in
  Png.write output picture;
  fun () -> Printf.printf "%d x %d points, CRC-32 of the pixels %08x\n" width height (Png.checksum picture)

open Cmdliner

let size = Command_line.between 1 10_000

let view =
  let parse text =
    match List.map float_of_string_opt (String.split_on_char ',' text) with
    | [ Some x; Some y; Some span ] when Float.is_finite x && Float.is_finite y && span > 0. && span <= 1e9 ->
        Ok { x; y; span }
    | _ -> Error (`Msg (Printf.sprintf "%S is not X,Y,SPAN: three numbers, the last one above 0" text))
  in
  Arg.conv ~docv:"X,Y,SPAN" (parse, fun ppf { x; y; span } -> Format.fprintf ppf "%g,%g,%g" x y span)

let term =
  let output =
    Arg.(required & pos 0 (some string) None & info [] ~docv:"FILE" ~doc:"The picture to write, a PNG file.")
  and width = Arg.(value & opt size 900 & info [ "width" ] ~docv:"N" ~doc:"Points from left to right.")
  and height = Arg.(value & opt size 600 & info [ "height" ] ~docv:"N" ~doc:"Points from top to bottom.")
  and iterations =
    let doc = "Points that have not left after $(docv) steps count as in the set, and are black." in
    Arg.(value & opt (Command_line.at_least 1) 1000 & info [ "iterations" ] ~docv:"N" ~doc)
  and view =
    let doc = "The middle of the picture, and how much of the plane is seen from left to right." in
    Arg.(value & opt view { x = -0.7; y = 0.; span = 3.2 } & info [ "view" ] ~docv:"X,Y,SPAN" ~doc)
  in
  Term.(const work $ output $ width $ height $ iterations $ view)

let () =
  Main.run ~name:"mandelbrot" ~doc:"the Mandelbrot set, as a picture"
    ~description:
      [
        "Writes a picture of the Mandelbrot set, and prints a checksum of it, which is the same for every \
         number of domains.";
        "Try $(b,--view=-0.7453,0.1127,0.0065).";
      ]
    term
