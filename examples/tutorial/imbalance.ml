(* The work of iteration [i] grows with [i]: of two equal halves of the range, the upper one is three quarters of it. *)
let work i =
  let rec sum acc k = if k = 0 then acc else sum (acc + (k land 3)) (k - 1) in
  sum 0 i

let n = 2000
let sequential () = List.fold_left (fun acc i -> acc + work i) 0 (List.init n Fun.id)

(* By hand: whoever has the lower half is done early, and waits. *)
let halves () =
  let part low high () =
    let total = ref 0 in
    for i = low to high do
      total := !total + work i
    done;
    !total
  in
  let a, b = Weft.par (part 0 ((n / 2) - 1)) (part (n / 2) (n - 1)) in
  a + b

(* Whoever is done takes some of what the others have left. *)
let balanced () = Weft.parallel_for_reduce ~start:0 ~finish:(n - 1) ~body:work ( + ) 0

let () =
  let expected = sequential () in
  Printf.printf "%b %b\n" (halves () = expected) (balanced () = expected)
