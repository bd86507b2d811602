let () =
  Weft.Pool.with_pool ~name:"images" ~domains:1 (fun pool ->
      Weft.Pool.run pool (fun () -> Weft.Pool.close pool))
