let contestant : Weft_bench_harness.Contestant.t =
  {
    name = "sequential";
    doc = "the plain OCaml program, without any pool";
    baseline = true;
    inside = (fun ~domains:_ f -> f ());
  }
