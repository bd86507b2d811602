(* A program that does not use Weft. *)
let () = print_endline "hello"
