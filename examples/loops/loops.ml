(* Steps to 1 of n -> n/2, 3n+1: cheap for some numbers, expensive for others. *)
let rec steps n = if n = 1 then 0 else 1 + steps (if n land 1 = 0 then n / 2 else (3 * n) + 1)

let () =
  let n = 300_000 in
  let taken = Array.make (n + 1) 0 in
  Weft.parallel_for ~start:1 ~finish:n ~body:(fun i -> taken.(i) <- steps i) ();
  let most, at = Weft.parallel_for_reduce ~start:1 ~finish:n ~body:(fun i -> (taken.(i), i)) max (0, 0) in
  Printf.printf "the most steps: %d, from %d\n" most at;
  (match
     Weft.parallel_find_first ~start:1 ~finish:n ~body:(fun i -> if taken.(i) >= 300 then Some i else None) ()
   with
  | Some i -> Printf.printf "the first with 300 or more: %d\n" i
  | None -> print_endline "none has 300");
  (* A sum of floats has the same bits for every number of domains. *)
  let sum = Weft.parallel_for_reduce ~start:1 ~finish:n ~body:(fun i -> 1. /. float i) ( +. ) 0. in
  Printf.printf "1 + 1/2 + ... = %h\n" sum;
  let numbers = Weft.Array.init n (fun i -> i + 1) in
  (* Stable: of equal ones, the smaller number comes first. *)
  Weft.Array.sort (fun i j -> Int.compare taken.(j) taken.(i)) numbers;
  Printf.printf "the next: %d, %d\n" numbers.(1) numbers.(2);
  let even = Weft.Seq.(of_range 1 n |> map (fun i -> taken.(i)) |> filter (fun s -> s mod 2 = 0) |> length) in
  Printf.printf "even numbers of steps: %d\n" even
