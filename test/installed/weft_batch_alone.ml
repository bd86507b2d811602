module Map = Weft_batch.B_tree.Make (Int)

let () =
  let map = Map.create () and counter = Weft_batch.Counter.create () in
  Weft.parallel_for ~start:1 ~finish:10_000
    ~body:(fun i ->
      Map.add map (i * 7919 mod 10_007) i;
      Weft_batch.Counter.incr counter)
    ();
  if Map.length map <> 10_000 || Weft_batch.Counter.get counter <> 10_000 then failwith "a batch is wrong"
