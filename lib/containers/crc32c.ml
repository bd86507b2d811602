(* The polynomial, lowest power first. *)
let polynomial = 0x82f63b78

(* Entry [256 * k + b]: what the byte [b] adds to the checksum when [k] bytes follow it. *)
let tables =
  let t = Array.make 2048 0 in
  for b = 0 to 255 do
    let crc = ref b in
    for _ = 1 to 8 do
      crc := if !crc land 1 = 1 then (!crc lsr 1) lxor polynomial else !crc lsr 1
    done;
    t.(b) <- !crc
  done;
  for i = 256 to 2047 do
    t.(i) <- (t.(i - 256) lsr 8) lxor t.(t.(i - 256) land 255)
  done;
  t

let[@inline] word s at = Int32.to_int (String.get_int32_le s at) land 0xffffffff
let[@inline] entry k byte = Array.unsafe_get tables ((k lsl 8) lor (byte land 255))

let rec bytes crc s at stop =
  if at = stop then crc
  else bytes ((crc lsr 8) lxor entry 0 (crc lxor Char.code (String.unsafe_get s at))) s (at + 1) stop

let rec eights crc s at stop =
  if stop - at < 8 then bytes crc s at stop
  else
    let low = word s at lxor crc and high = word s (at + 4) in
    let crc =
      entry 7 low
      lxor entry 6 (low lsr 8)
      lxor entry 5 (low lsr 16)
      lxor entry 4 (low lsr 24)
      lxor entry 3 high
      lxor entry 2 (high lsr 8)
      lxor entry 1 (high lsr 16)
      lxor entry 0 (high lsr 24)
    in
    eights crc s (at + 8) stop

let of_part crc s at length = eights (crc lxor 0xffffffff) s at (at + length) lxor 0xffffffff
let string s = of_part 0 s 0 (String.length s)

let extend crc b at length =
  if at < 0 || length < 0 || at > Bytes.length b - length then
    invalid_arg
      (Printf.sprintf "Weft_containers.Crc32c.extend: %d bytes from %d are not within %d" length at
         (Bytes.length b));
  of_part crc (Bytes.unsafe_to_string b) at length
