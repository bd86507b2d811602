type t = { who : string; length : int; block : int; count : int }

let make ~who length =
  let block = Grain.scan_block length in
  { who; length; block; count = (length + block - 1) / block }

let count t = t.count
let block t = t.block

let over t body =
  Loop.blocks ~who:t.who ~start:0 ~finish:(t.count - 1) (fun i j ->
      for k = i to j do
        let first = k * t.block in
        body k first (min t.length (first + t.block) - 1)
      done)

let add_up counts =
  let sum = ref 0 in
  for k = 0 to Array.length counts - 1 do
    let here = counts.(k) in
    counts.(k) <- !sum;
    sum := !sum + here
  done;
  !sum
