(* Bodies that attract each other: a loop for the forces and one for the moves in each step. *)

open Domainslib

type body = { mutable x : float; mutable y : float; mutable vx : float; mutable vy : float; mass : float }

let step pool bodies dt =
  let last = Array.length bodies - 1 in
  Task.parallel_for pool ~start:0 ~finish:last ~body:(fun i ->
      let b = bodies.(i) in
      Array.iteri
        (fun j other ->
          if i <> j then begin
            let dx = other.x -. b.x and dy = other.y -. b.y in
            let d2 = (dx *. dx) +. (dy *. dy) +. 0.01 in
            let pull = dt *. other.mass /. (d2 *. sqrt d2) in
            b.vx <- b.vx +. (dx *. pull);
            b.vy <- b.vy +. (dy *. pull)
          end)
        bodies);
  Task.parallel_for ~start:0 ~finish:last
    ~body:(fun i ->
      let b = bodies.(i) in
      b.x <- b.x +. (dt *. b.vx);
      b.y <- b.y +. (dt *. b.vy))
    pool

let energy pool bodies =
  Task.parallel_for_reduce pool ( +. ) 0. ~start:0
    ~finish:(Array.length bodies - 1)
    ~body:(fun i ->
      let b = bodies.(i) in
      0.5 *. b.mass *. ((b.vx *. b.vx) +. (b.vy *. b.vy)))

let run ~domains ~size =
  let random = Random.State.make [| 3 |] in
  let coordinate () = Random.State.float random 10. in
  let body _ =
    let x = coordinate () in
    let y = coordinate () in
    { x; y; vx = 0.; vy = 0.; mass = 1. }
  in
  let bodies = Array.init size body in
  let pool = Task.setup_pool ~num_domains:(domains - 1) () in
  let e =
    Task.run pool (fun () ->
        for _ = 1 to 20 do
          step pool bodies 0.001
        done;
        energy pool bodies)
  in
  Task.teardown_pool pool;
  Printf.printf "%d bodies: first at %h, %h; energy %.6e\n" size bodies.(0).x bodies.(0).y e
