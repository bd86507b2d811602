type t = { width : int; height : int; pixels : Bytes.t }

let create ~width ~height = { width; height; pixels = Bytes.make (3 * width * height) '\000' }

let set t ~x ~y ~red ~green ~blue =
  let at = 3 * ((y * t.width) + x) in
  Bytes.set_uint8 t.pixels at red;
  Bytes.set_uint8 t.pixels (at + 1) green;
  Bytes.set_uint8 t.pixels (at + 2) blue

(** {1 Checksums} *)

let crc_of_byte =
  let rec shifted c bits =
    if bits = 0 then c else shifted (if c land 1 = 1 then 0xedb88320 lxor (c lsr 1) else c lsr 1) (bits - 1)
  in
  Array.init 256 (fun byte -> shifted byte 8)

let crc32 s =
  let step c byte = crc_of_byte.(c lxor Char.code byte land 0xff) lxor (c lsr 8) in
  String.fold_left step 0xffffffff s lxor 0xffffffff

let adler32 s =
  let step (a, b) byte =
    let a = (a + Char.code byte) mod 65521 in
    (a, (b + a) mod 65521)
  in
  let a, b = String.fold_left step (1, 0) s in
  (b lsl 16) lor a

let checksum t = crc32 (Bytes.to_string t.pixels)

(** {1 The file} *)

let add_int32 buffer n = Buffer.add_int32_be buffer (Int32.of_int n)

let chunk buffer name data =
  add_int32 buffer (String.length data);
  Buffer.add_string buffer name;
  Buffer.add_string buffer data;
  add_int32 buffer (crc32 (name ^ data))

let header t =
  let b = Buffer.create 13 in
  add_int32 b t.width;
  add_int32 b t.height;
  (* Eight bits, true colour; the only methods of compression and filtering; no interlacing. *)
  Buffer.add_string b "\x08\x02\x00\x00\x00";
  Buffer.contents b

(* Each row begins with its filter, which is none. *)
let rows t =
  let b = Buffer.create (Bytes.length t.pixels + t.height) in
  for y = 0 to t.height - 1 do
    Buffer.add_char b '\000';
    Buffer.add_subbytes b t.pixels (3 * y * t.width) (3 * t.width)
  done;
  Buffer.contents b

(* The format of zlib, in blocks that are stored uncompressed. *)
let stored data =
  let b = Buffer.create (String.length data + 1000) in
  Buffer.add_string b "\x78\x01";
  let rec block from =
    let length = min 65535 (String.length data - from) in
    let is_last = from + length = String.length data in
    Buffer.add_uint8 b (if is_last then 1 else 0);
    Buffer.add_uint16_le b length;
    Buffer.add_uint16_le b (length lxor 0xffff);
    Buffer.add_substring b data from length;
    if not is_last then block (from + length)
  in
  block 0;
  add_int32 b (adler32 data);
  Buffer.contents b

let to_string t =
  let b = Buffer.create (Bytes.length t.pixels + 2000) in
  Buffer.add_string b "\x89PNG\r\n\x1a\n";
  chunk b "IHDR" (header t);
  chunk b "IDAT" (stored (rows t));
  chunk b "IEND" "";
  Buffer.contents b

(* Turns a message about the temporary file into one about the requested file. *)
let about path message =
  let why = List.hd (List.rev (String.split_on_char ':' message)) in
  Sys_error (path ^ ":" ^ why)

let write path t =
  if Sys.file_exists path && not (Sys.is_regular_file path) then raise (Sys_error (path ^ ": not a file"));
  match
    Filename.open_temp_file ~mode:[ Open_binary ] ~perms:0o666 ~temp_dir:(Filename.dirname path)
      (Filename.basename path) ".part"
  with
  | exception Sys_error message -> raise (about path message)
  | temporary, channel -> (
      try
        Out_channel.output_string channel (to_string t);
        Out_channel.close channel;
        Sys.rename temporary path
      with exn ->
        Out_channel.close_noerr channel;
        (try Sys.remove temporary with Sys_error _ -> ());
        raise (match exn with Sys_error message -> about path message | _ -> exn))
