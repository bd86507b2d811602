let join combine before sum = match before with None -> Some sum | Some before -> Some (combine before sum)

let run ~who ~length ~sum ~write combine ~init =
  let block = Grain.scan_block length in
  let count = (length + block - 1) / block in
  let first k = k * block and last k = min length ((k + 1) * block) - 1 in
  let over body = Loop.blocks ~who ~start:0 ~finish:(count - 1) body in
  if count = 0 then init
  else
    Here.in_pool @@ fun () ->
    if Here.workers () = 1 then begin
      (* The same sums, while the block is in the cache. *)
      let before = ref init in
      for k = 0 to count - 1 do
        let s = sum (first k) (last k) in
        write !before (first k) (last k);
        before := join combine !before s
      done;
      !before
    end
    else begin
      let sums = Array.make count None in
      over (fun i j ->
          for k = i to j do
            sums.(k) <- Some (sum (first k) (last k))
          done);
      let total =
        Array.fold_left
          (fun (k, before) s ->
            sums.(k) <- before;
            (k + 1, join combine before (Option.get s)))
          (0, init) sums
        |> snd
      in
      over (fun i j ->
          for k = i to j do
            write sums.(k) (first k) (last k)
          done);
      total
    end
