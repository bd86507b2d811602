(* (b) the last iteration takes as long as all others together *)
let rec spin n acc = if n = 0 then acc else spin (n - 1) ((acc * 25214903917) + 11)

let () =
  let n = 1000 in
  let r = Array.make n 0 in
  for _ = 1 to 3 do
    Weft.parallel_for ~start:0 ~finish:(n - 1)
      ~body:(fun i -> r.(i) <- spin (if i = n - 1 then 300_000_000 else 300_000) i)
      ()
  done;
  print_endline (string_of_int r.(n - 1))
