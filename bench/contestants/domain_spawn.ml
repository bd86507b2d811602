let contestant : Weft_bench_harness.Contestant.t =
  {
    name = "domain-spawn";
    doc = "Domain.spawn: the work cut into parts by hand, shared by that many domains";
    role = Contender;
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

let map_ranges ~domains ~start ~finish f =
  let n = finish - start + 1 in
  let first k = start + (k * n / domains) in
  let range k () = f (first k) (first (k + 1) - 1) in
  let others = List.init (domains - 1) (fun k -> Domain.spawn (range (k + 1))) in
  let own = range 0 () in
  own :: List.map Domain.join others

let for_ ~domains ~start ~finish ~body =
  ignore
    (map_ranges ~domains ~start ~finish (fun start finish -> Plain.for_ ~start ~finish ~body) : unit list)
