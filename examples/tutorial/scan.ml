(* A balance depends on all entries before it, and yet need not be computed from left to right. *)
let () =
  let entries = Array.init 1000 (fun i -> if i mod 10 = 9 then -57 else 6) in
  let balances = Weft.parallel_scan ( + ) entries in
  Printf.printf "at the end: %d\n" balances.(999);
  match Weft.Array.find_index (fun balance -> balance < 0) balances with
  | Some day -> Printf.printf "overdrawn at entry %d\n" day
  | None -> print_endline "never overdrawn"
