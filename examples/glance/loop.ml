(* The steps from n down to 1, by n/2 or 3n+1: few for some numbers, many for others. *)
let rec steps n = if n = 1 then 0 else 1 + steps (if n land 1 = 0 then n / 2 else (3 * n) + 1)

let () =
  let n = 300_000 in
  let taken = Array.make (n + 1) 0 in
  (* A [for] whose iterations may run at the same time: each writes an element of its own. *)
  Weft.parallel_for ~start:1 ~finish:n ~body:(fun i -> taken.(i) <- steps i) ();
  (* One value made of all iterations: they return it, and [+] combines. *)
  let even i = Bool.to_int (taken.(i) land 1 = 0) in
  Printf.printf "even: %d\n" (Weft.parallel_for_reduce ~start:1 ~finish:n ~body:even ( + ) 0);
  (* What the modules Array and List of OCaml do, in parallel. *)
  Weft.Array.sort Int.compare taken;
  Printf.printf "the most steps: %d\n" taken.(n)
