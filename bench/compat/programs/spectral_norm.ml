(* The spectral norm of the matrix with elements 1 / ((i + j)(i + j + 1) / 2 + i + 1), by the power method. *)

module T = Domainslib.Task

let element i j = 1. /. float (((i + j) * (i + j + 1) / 2) + i + 1)

let times pool element u v =
  let n = Array.length u in
  T.parallel_for pool ~start:0 ~finish:(n - 1) ~body:(fun i ->
      let sum = ref 0. in
      for j = 0 to n - 1 do
        sum := !sum +. (element i j *. u.(j))
      done;
      v.(i) <- !sum)

let times_square pool u v =
  let w = Array.make (Array.length u) 0. in
  times pool element u w;
  times pool (fun i j -> element j i) w v

let run ~domains ~size =
  let pool = T.setup_pool ~num_domains:(domains - 1) () in
  let u = Array.make size 1. and v = Array.make size 0. in
  T.run pool (fun () ->
      for _ = 1 to 10 do
        times_square pool u v;
        times_square pool v u
      done);
  T.teardown_pool pool;
  let uv = ref 0. and vv = ref 0. in
  Array.iteri
    (fun i x ->
      uv := !uv +. (u.(i) *. x);
      vv := !vv +. (x *. x))
    v;
  Printf.printf "norm of %d: %.9f\n" size (sqrt (!uv /. !vv))
