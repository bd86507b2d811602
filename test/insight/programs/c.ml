(* (c) parallel, sequential merge, parallel *)
let rec spin n acc = if n = 0 then acc else spin (n - 1) ((acc * 25214903917) + 11)
let phase r = Weft.parallel_for ~start:0 ~finish:999 ~body:(fun i -> r.(i) <- spin 300_000 r.(i)) ()
let merge r = Array.iteri (fun i x -> r.(i) <- spin 300_000 x) r

let () =
  let r = Array.init 1000 Fun.id in
  phase r;
  merge r;
  phase r;
  print_endline (string_of_int r.(7))
