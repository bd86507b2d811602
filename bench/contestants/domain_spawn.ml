let contestant : Weft_bench_harness.Contestant.t =
  {
    name = "domain-spawn";
    doc = "Domain.spawn: the work cut into parts by hand, shared by that many domains";
    baseline = false;
    inside = (fun ~domains:_ f -> f ());
  }

let sum ~domains f parts =
  let parts = Array.of_list parts in
  let next = Atomic.make 0 in
  let rec take acc =
    let i = Atomic.fetch_and_add next 1 in
    if i < Array.length parts then take (acc + f parts.(i)) else acc
  in
  let others = List.init (domains - 1) (fun _ -> Domain.spawn (fun () -> take 0)) in
  let own = take 0 in
  List.fold_left (fun acc other -> acc + Domain.join other) own others
