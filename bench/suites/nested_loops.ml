open Weft_bench_contestants

let outer = 20_000

let program (outer_for : Ways.for_) (inner_for : Ways.for_) a =
  let size = Array.length a / outer in
  let body r =
    let first = r * size in
    inner_for ~start:0 ~finish:(size - 1) ~body:(fun i -> a.(first + i) <- i lxor r)
  in
  outer_for ~start:0 ~finish:(outer - 1) ~body;
  a

let in_place a =
  let size = Array.length a / outer in
  for r = 0 to outer - 1 do
    let first = r * size in
    for i = 0 to size - 1 do
      a.(first + i) <- i lxor r
    done
  done;
  a

let weft_for ~start ~finish ~body = Weft.parallel_for ~start ~finish ~body ()

let benchmark =
  Same_result.benchmark ~sizes:(0, 1_000) ~sweep_sizes:[ 1; 10; 100; 300 ] ~more_sizes:[ 10; 300 ] ~quick:10
    ~group:"data" ~name:"nested_loops"
    ~doc:(Printf.sprintf "a loop of %d iterations, each of them a loop that stores" outer)
    ~size_doc:"the iterations of the inner loop" ~size:100
    ~input:(fun size -> Array.make (outer * size) 0)
    ~digest:Same_result.ints
    ( (Plain.contestant, program Plain.for_ Plain.for_),
      [ (Plain.in_place, in_place); (Weft_pool.loop, program weft_for weft_for) ] )
