let name s =
  let shown = Buffer.create (String.length s) in
  let hex at length =
    String.iter (fun c -> Printf.bprintf shown "\\x%02x" (Char.code c)) (String.sub s at length)
  in
  let rec from i =
    if i < String.length s then begin
      let decoded = String.get_utf_8_uchar s i in
      let length = Uchar.utf_decode_length decoded in
      (match s.[i] with
      | '\n' -> Buffer.add_string shown "\\n"
      | '\\' -> Buffer.add_string shown "\\\\"
      | _ ->
          let code = Uchar.to_int (Uchar.utf_decode_uchar decoded) in
          let is_control = code < 0x20 || (code >= 0x7f && code < 0xa0) in
          if Uchar.utf_decode_is_valid decoded && not is_control then Buffer.add_substring shown s i length
          else hex i length);
      from (i + length)
    end
  in
  from 0;
  Buffer.contents shown

let number n =
  let rec groups n =
    if n < 1000 then string_of_int n else Printf.sprintf "%s,%03d" (groups (n / 1000)) (n mod 1000)
  in
  if n < 0 then "-" ^ groups (-n) else groups n

let counted n thing = number n ^ " " ^ if n = 1 then thing else thing ^ "s"
