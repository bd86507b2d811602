let rec longest words low high =
  if low = high then words.(low)
  else
    let middle = (low + high) / 2 in
    let left, right =
      Weft.par (fun () -> longest words low middle) (fun () -> longest words (middle + 1) high)
    in
    if String.length right > String.length left then right else left

let () =
  let words = Weft.Array.init 100_000 (fun i -> String.make (i * 7919 mod 99_991 mod 60) 'x') in
  let letters =
    Weft.parallel_for_reduce ~start:0 ~finish:99_999 ~body:(fun i -> String.length words.(i)) ( + ) 0
  in
  Printf.printf "%d letters, the longest word has %d\n" letters (String.length (longest words 0 99_999))
