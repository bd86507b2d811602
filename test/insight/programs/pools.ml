let rec spin n acc = if n = 0 then acc else spin (n - 1) ((acc * 25214903917) + 11)

let () =
  let io = Weft.Pool.create ~name:"io" ~domains:1 ()
  and cpu = Weft.Pool.create ~name:"cpu" ~domains:2 ()
  and other = Weft.Pool.create ~domains:2 () in
  let go p k =
    Weft.Pool.async p (fun () ->
        Weft.parallel_for ~start:0 ~finish:200 ~body:(fun i -> ignore (Sys.opaque_identity (spin k i))) ())
  in
  List.iter
    (fun q -> Weft.await q)
    [ go io 300_000; go cpu 600_000; go other 300_000; go (Weft.Pool.default ()) 300_000 ];
  List.iter Weft.Pool.close [ io; cpu; other ];
  print_endline "done"
