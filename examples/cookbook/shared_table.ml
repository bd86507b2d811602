module Table = Weft_batch.Hash_table.Make (Int)

(* Any task may change the table, without a lock: calls that meet become one batch. [update] is one step. *)
let () =
  let visits = Table.create () in
  let visit = function None -> Some 1 | Some n -> Some (n + 1) in
  Weft.parallel_for ~start:0 ~finish:9_999
    ~body:(fun i -> ignore (Table.update visits (i * i mod 10) visit : int option))
    ();
  List.iter
    (fun (digit, n) -> Printf.printf "%d squares end in %d\n" n digit)
    (List.sort compare (List.of_seq (Table.to_seq visits)))
