(* [^] is associative and not commutative: neighbours are combined, in the order of the range. *)
let () =
  let letter i = String.make 1 (Char.chr (Char.code 'a' + i)) in
  print_endline (Weft.parallel_for_reduce ~start:0 ~finish:25 ~body:letter ( ^ ) "letters: ")
