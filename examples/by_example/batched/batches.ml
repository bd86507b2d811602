(* Batched structures: one fiber has many operations on the way, so that batches are large without many tasks. *)

module Numbers = Weft_batch.Avl.Make (Int)

let () =
  let squares = Numbers.create () in
  let added = List.init 100 (fun i -> Numbers.submit squares (Add (i, i * i))) in
  (* [Find] is applied after all that this fiber has submitted before: so it finds 9. *)
  let found = Numbers.submit squares (Find 9) in
  Printf.printf "%d\n" (Option.get (Weft.await found));
  List.iter Weft.await added;
  (* One promise for all. *)
  let removed = Numbers.submit_many squares (Array.map (fun k -> Numbers.Op.Remove k) [| 1; 2; 1 |]) in
  Array.iter (Printf.printf "%b ") (Weft.await removed);
  (* [exec_many] waits for the results, and its operations are certainly one batch. *)
  let bound = Numbers.exec_many squares (Array.map (fun k -> Numbers.Op.Mem k) [| 1; 3 |]) in
  Array.iter (Printf.printf "%b ") bound;
  Printf.printf "%d\n" (Numbers.length squares)
