let () = Weft.parallel_for ~start:0 ~finish:99 ~body:(fun i -> if i = 42 then failwith "no 42") ()
