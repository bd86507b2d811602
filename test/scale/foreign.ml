(* A program that knows nothing of Weft. *)
let () = print_endline "hello"
