let rec number buffer n =
  if n < 128 then Buffer.add_char buffer (Char.unsafe_chr n)
  else (
    Buffer.add_char buffer (Char.unsafe_chr (128 lor (n land 127)));
    number buffer (n lsr 7))

let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

let base64 buffer =
  let length = Buffer.length buffer in
  let result = Bytes.make ((length + 2) / 3 * 4) '=' in
  let byte i = if i < length then Char.code (Buffer.nth buffer i) else 0 in
  for group = 0 to ((length + 2) / 3) - 1 do
    let i = 3 * group in
    let bits = (byte i lsl 16) lor (byte (i + 1) lsl 8) lor byte (i + 2) in
    for digit = 0 to 3 do
      if i + digit <= length then
        Bytes.set result ((4 * group) + digit) alphabet.[(bits lsr (18 - (6 * digit))) land 63]
    done
  done;
  Bytes.unsafe_to_string result
