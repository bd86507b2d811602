let is_prime n =
  let rec from d = d * d > n || (n mod d <> 0 && from (d + 1)) in
  n >= 2 && from 2

(* Of all that match, the smallest. Parts of the range above it are not started any more once it is known. *)
let () =
  let check i = if is_prime i then Some i else None in
  match Weft.parallel_find_first ~start:1_000_000 ~finish:2_000_000 ~body:check () with
  | Some p -> Printf.printf "the first prime from a million on: %d\n" p
  | None -> print_endline "there is none"
