let segment_header = 64
let record_header = 24
let max_length = (1 lsl 30) - 1
let[@inline] u32 b i = Int32.to_int (Bytes.get_int32_le b i) land 0xffffffff
let[@inline] set_u32 b i n = Bytes.set_int32_le b i (Int32.of_int n)
let[@inline] int b i = Int64.to_int (Bytes.get_int64_le b i)
let[@inline] set_int b i n = Bytes.set_int64_le b i (Int64.of_int n)

(* {1 Segments} *)

type segment = { id : int; base : int; first_number : int }

let offset ~base position = segment_header + position - base
let suffix = ".log"
let digits = 20
let file_name base = Printf.sprintf "%0*d%s" digits base suffix

let base_of_file_name name =
  let is_digit c = c >= '0' && c <= '9' in
  if String.length name = digits + String.length suffix && String.ends_with ~suffix name then
    let number = String.sub name 0 digits in
    if String.for_all is_digit number then int_of_string_opt number else None
  else None

let magic = "WeftLog\n"
let version = 1

let set_segment b { id; base; first_number } =
  Bytes.fill b 0 segment_header '\000';
  Bytes.blit_string magic 0 b 0 (String.length magic);
  set_u32 b 8 version;
  set_int b 16 id;
  set_int b 24 base;
  set_int b 32 first_number;
  set_u32 b 60 (Crc32c.extend 0 b 0 60)

let get_segment b =
  if Bytes.length b < segment_header then Error "the header of the segment is incomplete"
  else if Bytes.sub_string b 0 (String.length magic) <> magic then Error "this is no segment of a log"
  else if u32 b 60 <> Crc32c.extend 0 b 0 60 then Error "the header of the segment has a wrong checksum"
  else if u32 b 8 <> version then
    Error (Printf.sprintf "the format is of version %d, and only %d is known" (u32 b 8) version)
  else Ok { id = int b 16; base = int b 24; first_number = int b 32 }

(* {1 Records} *)

type seed = int

let seed ~id =
  let b = Bytes.create 8 in
  set_int b 0 id;
  Crc32c.extend 0 b 0 8

let mark_bit = 1 lsl 30
let more_bit = 1 lsl 31
let unknown = 0xffffffff

(* The checksum starts from the position. For the same 20 bytes, two different starts never give the same
   checksum, so no record is valid at two positions within 4 GiB. *)
let[@inline] checksum seed b at ~position =
  Crc32c.extend (seed lxor (position land 0xffffffff) lxor (position lsr 32)) b at 20

let set_record seed b at ~position ~length ~crc ~number ~synced ~more ~mark =
  let flags = (if more then more_bit else 0) lor if mark then mark_bit else 0 in
  set_u32 b at (length lor flags);
  set_u32 b (at + 4) crc;
  set_int b (at + 8) number;
  set_u32 b (at + 16) (min unknown (position - synced));
  set_u32 b (at + 20) (checksum seed b at ~position)

let[@inline] number b at = int b (at + 8)

let is_record seed b at ~position =
  (* Numbers begin at 1, so zeros are no record, whatever their checksum. *)
  number b at > 0 && u32 b (at + 20) = checksum seed b at ~position

let length b at = u32 b at land max_length
let crc b at = u32 b (at + 4)
let more b at = u32 b at land more_bit <> 0
let mark b at = u32 b at land mark_bit <> 0

let synced b at ~position =
  let n = u32 b (at + 16) in
  if n = unknown then -1 else position - n
