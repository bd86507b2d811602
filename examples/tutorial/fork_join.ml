type tree = Leaf of int | Node of tree * tree

let rec build low high =
  if low = high then Leaf low
  else
    let middle = low + ((high - low) / 2) in
    let left, right = Weft.par (fun () -> build low middle) (fun () -> build (middle + 1) high) in
    Node (left, right)

let rec sum = function
  | Leaf n when n < 0 -> invalid_arg "negative"
  | Leaf n -> n
  | Node (left, right) ->
      let a, b = Weft.par (fun () -> sum left) (fun () -> sum right) in
      a + b

let () =
  Printf.printf "%d\n" (sum (build 1 10_000));
  (* An exception comes out where the two sides join. *)
  match sum (build (-5) 10_000) with
  | n -> Printf.printf "%d\n" n
  | exception Invalid_argument problem -> print_endline problem
