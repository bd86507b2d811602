let with_pool ?name ?minor_heap ~domains f =
  Weft.Pool.with_pool ?name ?minor_heap ~domains (fun pool ->
      let made = Weft.Pool.domains pool in
      if made <> domains then
        failwith (Printf.sprintf "the system gave a pool of %d domains, not %d" made domains);
      f pool)

let inside ~domains f = with_pool ~domains (fun pool -> Weft.Pool.run pool f)

let par : Weft_bench_harness.Contestant.t =
  { name = "par"; doc = "Weft.par: fork-join"; role = Contender; inside }

let async : Weft_bench_harness.Contestant.t =
  { name = "async"; doc = "Weft.async and Weft.await: promises"; role = Contender; inside }

let loop : Weft_bench_harness.Contestant.t =
  { name = "loop"; doc = "Weft.parallel_for and its kin: loops"; role = Contender; inside }

let blocks : Weft_bench_harness.Contestant.t =
  {
    name = "blocks";
    doc = "Weft.parallel_for_reduce_blocks: the body is a plain loop over a block";
    role = Contender;
    inside;
  }

let array : Weft_bench_harness.Contestant.t =
  {
    name = "array";
    doc = "Weft.Array and its kin: functions on whole arrays, lists, bigarrays and sequences";
    role = Contender;
    inside;
  }

let mapped : Weft_bench_harness.Contestant.t =
  { name = "mapped"; doc = "Weft.Seq.Text: the file is mapped into memory"; role = Contender; inside }

let pipeline : Weft_bench_harness.Contestant.t =
  { name = "pipeline"; doc = "Weft.pipeline: items pass through stages"; role = Contender; inside }

let book : Weft_bench_harness.Contestant.t =
  { name = "book"; doc = "Weft, as a book has it: no cutoff, no chunk"; role = Contender; inside }

let by_hand : Weft_bench_harness.Contestant.t =
  { name = "by_hand"; doc = "Weft, with cutoffs and blocks chosen by hand"; role = Contender; inside }

let fibers : Weft_bench_harness.Contestant.t =
  {
    name = "fibers";
    doc = "Weft's fibers, with Weft.Chan, Mutex, Promise, yield, sleep";
    role = Contender;
    inside;
  }

let select : Weft_bench_harness.Contestant.t =
  { name = "select"; doc = "Weft.Select: the first of several"; role = Contender; inside }

let scope_async : Weft_bench_harness.Contestant.t =
  { name = "scope-async"; doc = "Weft.Scope.async: tasks of a scope"; role = Contender; inside }

let pool_async : Weft_bench_harness.Contestant.t =
  { name = "pool-async"; doc = "Weft.Pool.async from a task of the pool"; role = Contender; inside }

let run parties = List.map Weft.await (List.map Weft.async parties)

(* {1 From outside} *)

let name = "weft bench"

let submit : Weft_bench_harness.Contestant.t =
  {
    name = "submit";
    doc = "Weft.Pool.async from outside to a pool whose domains sleep";
    role = Contender;
    inside = (fun ~domains f -> with_pool ~name ~domains (fun _ -> f ()));
  }

let outside_async : Weft_bench_harness.Contestant.t =
  {
    submit with
    name = "outside-async";
    doc = "Weft.Pool.async from a thread outside of the pool, which awaits the tasks";
  }

let outside_pool () =
  match Weft.Pool.find name with
  | Some pool -> pool
  | None -> invalid_arg "Weft_pool.outside_pool: no run is under way"
