(* raytracer: balls that mirror each other, as a picture. A ray that meets a mirror goes on, so rows and
   points differ in cost. The only function is the square root: so the picture has the same bits on every
   machine. *)

open Console

type vector = { x : float; y : float; z : float }

let vector x y z = { x; y; z }
let ( +: ) a b = vector (a.x +. b.x) (a.y +. b.y) (a.z +. b.z)
let ( -: ) a b = vector (a.x -. b.x) (a.y -. b.y) (a.z -. b.z)
let ( *: ) k a = vector (k *. a.x) (k *. a.y) (k *. a.z)
let times a b = vector (a.x *. b.x) (a.y *. b.y) (a.z *. b.z)
let dot a b = (a.x *. b.x) +. (a.y *. b.y) +. (a.z *. b.z)
let unit a = 1. /. sqrt (dot a a) *: a

(** {1 The scene} *)

type ball = { centre : vector; radius : float; colour : vector; mirror : float  (** 0: dull; 1: a mirror *) }

let light = unit (vector 0.5 0.8 (-0.6))

(* A large ball, and so many small ones on a spiral around it. *)
let scene balls =
  (* Cosine and sine of the golden angle. *)
  let turn = vector (-0.7373688780783197) 0. 0.6754902942615239 in
  let rec spiral n direction found =
    if n = balls then found
    else
      let part = (float n +. 0.5) /. float balls in
      let height = 1.6 -. (3.2 *. part) in
      let reach = 1.7 +. (0.5 *. part) in
      let centre = vector (reach *. direction.x) height (reach *. direction.z) in
      let colour = vector (0.3 +. (0.7 *. part)) (0.9 -. (0.6 *. part)) (0.4 +. (0.5 *. (1. -. part))) in
      let next =
        vector
          ((turn.x *. direction.x) -. (turn.z *. direction.z))
          0.
          ((turn.z *. direction.x) +. (turn.x *. direction.z))
      in
      spiral (n + 1) next ({ centre; radius = 0.22; colour; mirror = 0.25 } :: found)
  in
  let large = { centre = vector 0. 0. 0.; radius = 1.2; colour = vector 0.8 0.85 0.9; mirror = 0.8 } in
  large :: spiral 0 (vector 1. 0. 0.) []

(** {1 Rays} *)

let nothing_nearer = 1e-6

(* The distance along the ray to the ball. *)
let distance ~from ~direction ball =
  let to_ball = from -: ball.centre in
  let b = dot to_ball direction in
  let d = (b *. b) -. dot to_ball to_ball +. (ball.radius *. ball.radius) in
  if d < 0. then infinity
  else
    let root = sqrt d in
    let near = -.b -. root and far = root -. b in
    if near > nothing_nearer then near else if far > nothing_nearer then far else infinity

let nearest scene ~from ~direction =
  let nearer ((least, _) as best) ball =
    let d = distance ~from ~direction ball in
    if d < least then (d, Some ball) else best
  in
  List.fold_left nearer (infinity, None) scene

let floor_height = -1.9

let sky direction =
  let up = 0.5 *. (direction.y +. 1.) in
  ((1. -. up) *: vector 0.95 0.95 1.) +: (up *: vector 0.3 0.5 0.9)

(* x to the power 2^n. *)
let rec power x n = if n = 0 then x else power (x *. x) (n - 1)
let is_lit scene at = fst (nearest scene ~from:at ~direction:light) = infinity

let rec trace scene ~bounces ~from ~direction =
  let to_floor = if direction.y < 0. then (floor_height -. from.y) /. direction.y else infinity in
  match nearest scene ~from ~direction with
  | d, Some ball when d < to_floor ->
      let at = from +: (d *: direction) in
      let normal = unit (at -: ball.centre) in
      let seen = shade scene ~at ~normal ~direction ball.colour in
      if bounces = 0 then seen
      else
        let mirrored = direction -: (2. *. dot direction normal *: normal) in
        let other = trace scene ~bounces:(bounces - 1) ~from:at ~direction:mirrored in
        ((1. -. ball.mirror) *: seen) +: (ball.mirror *: times ball.colour other)
  | _ when to_floor < 60. && to_floor > nothing_nearer ->
      let at = from +: (to_floor *: direction) in
      let is_dark = (int_of_float (floor at.x) + int_of_float (floor at.z)) land 1 = 0 in
      let colour = if is_dark then vector 0.25 0.25 0.3 else vector 0.8 0.8 0.75 in
      (* Far away the floor fades into the sky. *)
      let haze = to_floor /. 60. in
      ((1. -. haze) *: shade scene ~at ~normal:(vector 0. 1. 0.) ~direction colour) +: (haze *: sky direction)
  | _ -> sky direction

and shade scene ~at ~normal ~direction colour =
  let brightness = if is_lit scene (at +: (1e-4 *: normal)) then max 0. (dot normal light) else 0. in
  let mirrored = direction -: (2. *. dot direction normal *: normal) in
  let glance = max 0. (dot mirrored light) in
  let spot = if brightness > 0. then 0.4 *. power glance 5 else 0. in
  let strength = 0.15 +. (0.85 *. brightness) in
  (strength *: colour) +: vector spot spot spot

(** {1 The picture} *)

let eye = vector 0. 0.9 (-5.5)
let forward = unit (vector 0. (-0.15) 1.)
let right = vector 1. 0. 0.
let up = unit (vector 0. 1. 0.15)
let byte x = int_of_float (255. *. sqrt (min 1. x))

let draw scene ~width ~height ~bounces =
  let picture = Png.create ~width ~height in
  let ray column row =
    let scale = 1. /. float height in
    let across = (float column +. 0.5 -. (float width /. 2.)) *. scale
    and down = (float row +. 0.5 -. (float height /. 2.)) *. scale in
    unit (forward +: (across *: right) -: (down *: up))
  in
  Weft.parallel_for ~start:0 ~finish:(height - 1)
    ~body:(fun row ->
      Weft.parallel_for ~start:0 ~finish:(width - 1)
        ~body:(fun column ->
          let { x; y; z } = trace scene ~bounces ~from:eye ~direction:(ray column row) in
          Png.set picture ~x:column ~y:row ~red:(byte x) ~green:(byte y) ~blue:(byte z))
        ())
    ();
  picture

let work output width height balls bounces () =
  let picture = draw (scene balls) ~width ~height ~bounces in
  Png.write output picture;
  fun () -> Printf.printf "%d x %d points, CRC-32 of the pixels %08x\n" width height (Png.checksum picture)

open Cmdliner

let size = Command_line.between 1 10_000

let term =
  let output =
    Arg.(required & pos 0 (some string) None & info [] ~docv:"FILE" ~doc:"The picture to write, a PNG file.")
  and width = Arg.(value & opt size 640 & info [ "width" ] ~docv:"N" ~doc:"Points from left to right.")
  and height = Arg.(value & opt size 480 & info [ "height" ] ~docv:"N" ~doc:"Points from top to bottom.")
  and balls =
    let doc = "How many small balls there are around the large one." in
    Arg.(value & opt (Command_line.between 0 1000) 40 & info [ "balls" ] ~docv:"N" ~doc)
  and bounces =
    let doc = "How many mirrors a ray may meet." in
    Arg.(value & opt (Command_line.between 0 50) 6 & info [ "bounces" ] ~docv:"N" ~doc)
  in
  Term.(const work $ output $ width $ height $ balls $ bounces)

let () =
  Main.run ~name:"raytracer" ~doc:"balls that mirror each other, as a picture"
    ~description:
      [
        "Writes a picture of mirroring balls on a chequered floor, and prints a checksum of it, which is the \
         same for every number of domains.";
      ]
    term
