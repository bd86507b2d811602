open System

let pi = 3.141592653589793
let solar_mass = 4. *. pi *. pi
let days_per_year = 365.24

(* Velocities are per day, masses in suns. *)
let planet mass (x, y, z) (vx, vy, vz) =
  {
    mass = mass *. solar_mass;
    x;
    y;
    z;
    vx = vx *. days_per_year;
    vy = vy *. days_per_year;
    vz = vz *. days_per_year;
  }

let jupiter =
  planet 9.54791938424326609e-04
    (4.84143144246472090e+00, -1.16032004402742839e+00, -1.03622044471123109e-01)
    (1.66007664274403694e-03, 7.69901118419740425e-03, -6.90460016972063023e-05)

let saturn =
  planet 2.85885980666130812e-04
    (8.34336671824457987e+00, 4.12479856412430479e+00, -4.03523417114321381e-01)
    (-2.76742510726411899e-03, 4.99852801234917238e-03, 2.30417297573763929e-05)

let uranus =
  planet 4.36624404335156298e-05
    (1.28943695621391310e+01, -1.51111514016986312e+01, -2.23307578892655734e-01)
    (2.96460137564761618e-03, 2.37847173959480950e-03, -2.96589568540237556e-05)

let neptune =
  planet 5.15138902046611451e-05
    (1.53796971148509165e+01, -2.59193146099879641e+01, 1.79258772950371181e-01)
    (2.68067772490389322e-03, 1.62824170038242295e-03, -9.51592254519715870e-05)

let system () =
  let planets = [| jupiter; saturn; uranus; neptune |] in
  (* The sun moves against the planets, so that the momentum is 0. *)
  let px, py, pz = momentum { bodies = planets; softening = 0. } in
  let against p = -.p /. solar_mass in
  let sun =
    { mass = solar_mass; x = 0.; y = 0.; z = 0.; vx = against px; vy = against py; vz = against pz }
  in
  { bodies = Array.append [| sun |] planets; softening = 0. }
