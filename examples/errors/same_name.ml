let () =
  let first = Weft.Pool.create ~name:"images" ~domains:1 () in
  let second = Weft.Pool.create ~name:"images" ~domains:1 () in
  List.iter Weft.Pool.close [ first; second ]
