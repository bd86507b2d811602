open Weft_bench_contestants

(* The work of a stage: so many multiplications, of about a nanosecond each. *)
let work = Microseconds.chain

let up_to size =
  let next = ref 0 in
  fun () ->
    let i = !next in
    if i = size then None
    else begin
      next := i + 1;
      Some i
    end

(* The last stage adds to the digest, in order. *)
let sequential steps size =
  let digest = ref 0 in
  for i = 0 to size - 1 do
    digest := Same_result.add !digest (work steps i)
  done;
  !digest

let pipeline steps size =
  let digest = ref 0 in
  Weft.pipeline (up_to size)
    Weft.Stage.(parallel (work steps) >>> in_order (fun y -> digest := Same_result.add !digest y));
  !digest

(* The items are blocks of the others, with some 50 us of work each. *)
let by_hand steps size =
  let digest = ref 0 and block = max 1 (50_000 / steps) in
  let next = up_to ((size + block - 1) / block) in
  let produce () =
    Option.map (fun b -> Array.init (min block (size - (b * block))) (fun i -> (b * block) + i)) (next ())
  in
  Weft.pipeline produce
    Weft.Stage.(
      parallel (Array.map (work steps))
      >>> in_order (fun results -> digest := Array.fold_left Same_result.add !digest results));
  !digest

let benchmark name steps size =
  Same_result.benchmark ~group:"data" ~name
    ~doc:(Printf.sprintf "a pipeline: %d multiplications for each item, and then a stage in order" steps)
    ~size_doc:"the number of items" ~size ~input:Fun.id ~digest:Fun.id
    ( (Plain.contestant, sequential steps),
      [ (Weft_pool.pipeline, pipeline steps); (Weft_pool.by_hand, by_hand steps) ] )

let benchmarks = [ benchmark "pipeline_cheap" 100 2_000_000; benchmark "pipeline_dear" 20_000 20_000 ]
