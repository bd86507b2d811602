let join combine before sum = match before with None -> Some sum | Some before -> Some (combine before sum)

let run ~who ~length ~sum ~write combine ~init =
  let block = Grain.scan_block length in
  let count = (length + block - 1) / block in
  let first k = k * block and last k = min length ((k + 1) * block) - 1 in
  let over last body = Loop.blocks ~who ~start:0 ~finish:last body in
  if count > 0 then
    Here.in_pool @@ fun () ->
    if Here.workers () = 1 then begin
      (* The same sums, while the block is in the cache. *)
      let before = ref init in
      for k = 0 to count - 1 do
        Here.attend ();
        let s = if k < count - 1 then Some (sum (first k) (last k)) else None in
        write !before (first k) (last k);
        Option.iter (fun s -> before := join combine !before s) s
      done
    end
    else begin
      let sums = Array.make count None in
      over (count - 2) (fun i j ->
          for k = i to j do
            sums.(k) <- Some (sum (first k) (last k))
          done);
      (* From the sums to what comes before. *)
      let before = ref init in
      for k = 0 to count - 1 do
        let s = sums.(k) in
        sums.(k) <- !before;
        Option.iter (fun s -> before := join combine !before s) s
      done;
      over (count - 1) (fun i j ->
          for k = i to j do
            write sums.(k) (first k) (last k)
          done)
    end
