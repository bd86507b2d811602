type body = { mass : float; x : float; y : float; z : float; vx : float; vy : float; vz : float }
type t = { bodies : body array; softening : float }

let total f bodies = Weft.Floatarray.sum (Weft.Floatarray.map_of_array f bodies)

let momentum { bodies; _ } =
  ( total (fun b -> b.mass *. b.vx) bodies,
    total (fun b -> b.mass *. b.vy) bodies,
    total (fun b -> b.mass *. b.vz) bodies )

let cluster ~seed n =
  let random = Weft.Random.make seed in
  let body i =
    let draw = Weft.Random.at random i in
    let around_zero reach = Weft.Random.uniform draw (2. *. reach) -. reach in
    let rec in_ball () =
      let x = around_zero 1. in
      let y = around_zero 1. in
      let z = around_zero 1. in
      if (x *. x) +. (y *. y) +. (z *. z) <= 1. then (x, y, z) else in_ball ()
    in
    let x, y, z = in_ball () in
    (* So that the kinetic energy is about half of the energy that separates the bodies (the virial
       theorem). *)
    let vx = around_zero 0.75 in
    let vy = around_zero 0.75 in
    let vz = around_zero 0.75 in
    { mass = 1. /. float n; x; y; z; vx; vy; vz }
  in
  let drawn = { bodies = Weft.Array.init n body; softening = 0.05 } in
  let px, py, pz = momentum drawn in
  let at_rest b = { b with vx = b.vx -. px; vy = b.vy -. py; vz = b.vz -. pz } in
  { drawn with bodies = Weft.Array.map at_rest drawn.bodies }

let distance2 softening a b =
  let x = a.x -. b.x and y = a.y -. b.y and z = a.z -. b.z in
  (x *. x) +. (y *. y) +. (z *. z) +. (softening *. softening)

(* Body [i] does not attract itself. *)
let moved dt { bodies; softening } i body =
  let ax = ref 0. and ay = ref 0. and az = ref 0. in
  for j = 0 to Array.length bodies - 1 do
    if j <> i then begin
      let other = bodies.(j) in
      let d2 = distance2 softening other body in
      let pull = other.mass /. (d2 *. sqrt d2) in
      ax := !ax +. (pull *. (other.x -. body.x));
      ay := !ay +. (pull *. (other.y -. body.y));
      az := !az +. (pull *. (other.z -. body.z))
    end
  done;
  let vx = body.vx +. (dt *. !ax) and vy = body.vy +. (dt *. !ay) and vz = body.vz +. (dt *. !az) in
  { body with x = body.x +. (dt *. vx); y = body.y +. (dt *. vy); z = body.z +. (dt *. vz); vx; vy; vz }

let step dt system = { system with bodies = Weft.Array.mapi (moved dt system) system.bodies }

let energy { bodies; softening } =
  let of_motion b = 0.5 *. b.mass *. ((b.vx *. b.vx) +. (b.vy *. b.vy) +. (b.vz *. b.vz)) in
  (* Only with the bodies that follow, so that each pair counts once. *)
  let of_pairs i =
    let sum = ref 0. in
    for j = i + 1 to Array.length bodies - 1 do
      sum := !sum +. (bodies.(i).mass *. bodies.(j).mass /. sqrt (distance2 softening bodies.(i) bodies.(j)))
    done;
    !sum
  in
  total of_motion bodies -. Weft.Floatarray.sum (Weft.Floatarray.init (Array.length bodies) of_pairs)
