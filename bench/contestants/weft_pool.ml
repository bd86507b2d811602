let inside ~domains f =
  Weft.Pool.with_pool ~domains (fun pool ->
      let made = Weft.Pool.domains pool in
      if made <> domains then
        failwith (Printf.sprintf "the system gave a pool of %d domains, not %d" made domains);
      Weft.Pool.run pool f)

let par : Weft_bench_harness.Contestant.t =
  { name = "par"; doc = "Weft.par: fork-join"; role = Contender; inside }

let async : Weft_bench_harness.Contestant.t =
  { name = "async"; doc = "Weft.async and Weft.await: promises"; role = Contender; inside }

let loop : Weft_bench_harness.Contestant.t =
  { name = "loop"; doc = "Weft.parallel_for and its kin: loops"; role = Contender; inside }

let array : Weft_bench_harness.Contestant.t =
  { name = "array"; doc = "Weft.Array: functions on whole arrays"; role = Contender; inside }
