module Make (S : Structures.SHARDED) = struct
  (* A task runs shards one after the other if they have no more operations than this together. *)
  let leaf = 48

  (* The first shard at or after [low] that begins at or after [place]. *)
  let rec first_from starts place low high =
    if low >= high then low
    else
      let middle = (low + high) / 2 in
      if starts.(middle) < place then first_from starts place (middle + 1) high
      else first_from starts place low middle

  (* Runs the shards [low] to [high - 1]. They are divided so that each half has half of the operations, as
     nearly as whole shards allow: so a shard with many operations gets a task of its own. *)
  let rec run_shards parts ops ({ Grouping.order; starts; _ } as groups) low high =
    let from = starts.(low) and until = starts.(high) in
    if high - low = 1 || until - from <= leaf then begin
      S.prepare parts ops order ~first:from ~last:(until - 1);
      for shard = low to high - 1 do
        S.run_shard parts ~shard ops order ~first:starts.(shard) ~last:(starts.(shard + 1) - 1)
      done
    end
    else
      let half = (from + until) / 2 in
      let above = first_from starts half (low + 1) (high - 1) in
      let nearest =
        if above > low + 1 && starts.(above) - half > half - starts.(above - 1) then above - 1 else above
      in
      ignore
        (Weft.par
           (fun () -> run_shards parts ops groups low nearest)
           (fun () -> run_shards parts ops groups nearest high)
          : unit * unit)

  let run_single t ops groups =
    let count = Array.length groups.Grouping.shards in
    if count > 0 then begin
      let parts = S.expose t ~touched:groups.shards in
      match run_shards parts ops groups 0 count with
      | () -> S.repair t parts
      | exception e ->
          (* Cancelled, or out of memory: some operations are not applied, but the structure must be in
             order. *)
          let bt = Printexc.get_raw_backtrace () in
          S.repair t parts;
          Printexc.raise_with_backtrace e bt
    end

  let answer t (S.Op (op, cell)) =
    match S.apply t op with
    | v -> Cell.resolve cell v
    | exception e -> Cell.fail cell e (Printexc.get_raw_backtrace ())

  let run_batch t ops =
    let groups, others =
      Grouping.make (Array.length ops) (fun i -> match ops.(i) with S.Op (op, _) -> S.shard_of t op)
    in
    run_single t ops groups;
    Grouping.release groups;
    let count = Array.length others in
    if count <= leaf then Array.iter (fun i -> answer t ops.(i)) others
    else Weft.parallel_for ~start:0 ~finish:(count - 1) ~body:(fun i -> answer t ops.(others.(i))) ()

  module Generic = struct
    type 'v t = 'v S.t
    type ('v, 'a) op = ('v, 'a) S.op
    type 'v packed = 'v S.packed = Op : ('v, 'a) op * 'a Cell.t -> 'v packed

    let apply = S.apply
    let run = Some run_batch
  end

  include Batched.Make_generic (Generic)

  let create ?limit ?cutoff structure =
    Misuse.check "Weft_batch.Expose_repair.create" ?limit ?cutoff ();
    let rank (S.Op (op, _)) = if S.shard_of structure op < 0 then 1 else 0 in
    create ?limit ?cutoff ~rank structure

  let exec_all ?whole t n op =
    Misuse.check_count "Weft_batch.Expose_repair.exec_all" n;
    exec_all ?whole t n op
end
