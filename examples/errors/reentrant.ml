module Table = Weft_batch.Hash_table.Make (Int)

let () =
  let ages = Table.create () in
  let of_another _ = Table.find_opt ages 2 in
  ignore (Table.update ages 1 of_another : int option)
