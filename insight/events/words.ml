let count n =
  let digits = string_of_int (abs n) in
  let length = String.length digits in
  let buffer = Buffer.create 16 in
  if n < 0 then Buffer.add_char buffer '-';
  String.iteri
    (fun i digit ->
      if i > 0 && (length - i) mod 3 = 0 then Buffer.add_char buffer ',';
      Buffer.add_char buffer digit)
    digits;
  Buffer.contents buffer

let three_digits x =
  if x >= 99.95 then count (Float.to_int (Float.round x))
  else if x >= 9.995 then Printf.sprintf "%.1f" x
  else Printf.sprintf "%.2f" x

let duration ns =
  let x = float_of_int ns in
  if ns < 1000 then Printf.sprintf "%d ns" ns
  else if x < 999.5e3 then three_digits (x /. 1e3) ^ " us"
  else if x < 999.5e6 then three_digits (x /. 1e6) ^ " ms"
  else three_digits (x /. 1e9) ^ " s"

let percent share =
  let x = 100. *. share in
  if x > 0. && x < 9.95 then Printf.sprintf "%.1f %%" x else Printf.sprintf "%.0f %%" x

let plural n one many = if n = 1 then "1 " ^ one else count n ^ " " ^ many

let amount x =
  if x < 1e3 then Printf.sprintf "%.0f" x
  else if x < 999.5e3 then three_digits (x /. 1e3) ^ " k"
  else if x < 999.5e6 then three_digits (x /. 1e6) ^ " M"
  else three_digits (x /. 1e9) ^ " G"

let printable text =
  let text = Weft_files.Foreign_text.ascii text in
  if String.length text > 60 then String.sub text 0 57 ^ "..." else text
