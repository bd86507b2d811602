(* (d) too much allocation: each word builds lists and maps that survive a while *)
module M = Map.Make (Int)

let keep = Array.make 400 M.empty

let build i =
  let m = ref M.empty in
  for k = 0 to 4000 do
    m := M.add (k * 7919 mod 4001) (List.init 4 (fun x -> x + i)) !m
  done;
  keep.(i mod 400) <- !m;
  M.cardinal !m

let () = print_endline (string_of_int (Weft.parallel_for_reduce ~start:0 ~finish:1199 ~body:build ( + ) 0))
