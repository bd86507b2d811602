let join combine before sum = match before with None -> Some sum | Some before -> Some (combine before sum)

let run ~who ~length ~sum ~write combine ~init =
  let block = Grain.scan_block length in
  let count = (length + block - 1) / block in
  let first k = k * block and last k = min length ((k + 1) * block) - 1 in
  let over from last body = Loop.blocks ~who ~start:from ~finish:last body in
  (* The last block's sum is not needed. *)
  let sums_from from =
    let sums = Array.make (count - from) None in
    over from (count - 2) (fun i j ->
        for k = i to j do
          sums.(k - from) <- Some (sum (first k) (last k))
        done);
    sums
  in
  let write_from from before sums =
    (* Replaces each block's sum by the sum of those before it. *)
    let before = ref before in
    Array.iteri
      (fun i s ->
        sums.(i) <- !before;
        Option.iter (fun s -> before := join combine !before s) s)
      sums;
    over from (count - 1) (fun i j ->
        for k = i to j do
          write sums.(k - from) (first k) (last k)
        done)
  in
  (* One worker computes each block's sum while the block is in the cache, until one is suspended. *)
  let rec one_by_one k before =
    if k < count then begin
      Current_worker.poll ();
      let this_one () =
        let s = if k < count - 1 then Some (sum (first k) (last k)) else None in
        write before (first k) (last k);
        match s with Some s -> join combine before s | None -> before
      in
      match Promotion.both this_one (fun () -> sums_from (k + 1)) with
      | before, None -> one_by_one (k + 1) before
      | before, Some sums -> write_from (k + 1) before sums
    end
  in
  if count > 0 then
    Current_worker.in_pool @@ fun () ->
    if Current_worker.workers () = 1 then one_by_one 0 init else write_from 0 init (sums_from 0)
