(* The Mandelbrot set: a row is an iteration, and rows differ much in what they cost. *)

open Domainslib

let limit = 100

let escape x y =
  let rec go zr zi n =
    if n = limit || (zr *. zr) +. (zi *. zi) > 4. then n
    else go ((zr *. zr) -. (zi *. zi) +. x) ((2. *. zr *. zi) +. y) (n + 1)
  in
  go 0. 0. 0

let run ~domains ~size =
  let pool = Task.setup_pool ~num_domains:(domains - 1) () in
  let image = Bytes.create (size * size) in
  let row i =
    for j = 0 to size - 1 do
      let at k = 2. *. float k /. float size in
      Bytes.set_uint8 image ((i * size) + j) (escape (at j -. 1.5) (at i -. 1.))
    done
  in
  Task.run pool (fun () -> Task.parallel_for ~chunk_size:1 ~start:0 ~finish:(size - 1) ~body:row pool);
  Task.teardown_pool pool;
  let inside = Bytes.fold_left (fun n c -> if Char.code c = limit then n + 1 else n) 0 image in
  Printf.printf "%d x %d: %d points inside, image %s\n" size size inside (Digest.to_hex (Digest.bytes image))
