(* Heat in a rod. Each step needs the one before: so the steps are a plain loop. Within a step every point needs old values
   only: so the points are a parallel loop, which reads one array and writes another. *)
let step old fresh =
  let last = Array.length old - 1 in
  Weft.parallel_for ~start:1 ~finish:(last - 1)
    ~body:(fun i -> fresh.(i) <- (0.25 *. old.(i - 1)) +. (0.5 *. old.(i)) +. (0.25 *. old.(i + 1)))
    ()

let () =
  let rod = ref (Array.init 1001 (fun i -> if i = 0 then 100. else 0.)) in
  let spare = ref (Array.copy !rod) in
  for _ = 1 to 500 do
    step !rod !spare;
    let old = !rod in
    rod := !spare;
    spare := old
  done;
  Printf.printf "%.3f %.3f %.3f\n" !rod.(1) !rod.(10) !rod.(50)
