type sale = { town : string; pence : int }

let () =
  let sales =
    [| ("York", 250); ("Bath", 120); ("York", 310); ("Ely", 90); ("Bath", 500); ("Ely", 90) |]
    |> Array.map (fun (town, pence) -> { town; pence })
  in
  (* Stable: equal sales keep their order. *)
  Weft.Array.sort (fun a b -> Int.compare b.pence a.pence) sales;
  Printf.printf "the greatest: %s, %d\n" sales.(0).town sales.(0).pence;
  (* Groups come in the order of their first elements. *)
  let total = Weft.Array.map_reduce (fun s -> s.pence) ( + ) 0 in
  Array.iter
    (fun (town, group) -> Printf.printf "%-4s %d\n" town (total group))
    (Weft.Array.group_by ~key:(fun s -> s.town) sales)
