type head = {
  rings : int;
  words : int;
  positions_size : int;
  positions_at : int;
  rings_at : int;
  names_at : int;
}

let version = 1
let head_words = 8
let word = 8

(* --- reading ---

   Not by a channel, which would keep what it has read, and show the positions as they were. *)

type source = { path : string; fd : Unix.file_descr }

let naming = Weft_platform.File_errors.naming
let wrong path why = raise (Sys_error (path ^ ": " ^ why))

(* To open a pipe would wait for its writer. *)
let with_file path f =
  let stat = naming path Unix.stat path in
  if stat.st_kind <> S_REG then wrong path "not a file of rings";
  let fd = naming path (fun () -> Unix.openfile path [ O_RDONLY; O_CLOEXEC ] 0) () in
  Fun.protect ~finally:(fun () -> Unix.close fd) (fun () -> f { path; fd })

let read_at source at n =
  let bytes = Bytes.create n in
  let rec go from =
    if from < n then
      match Unix.read source.fd bytes from (n - from) with
      | 0 -> wrong source.path "cut short"
      | k -> go (from + k)
      | exception Unix.Unix_error (EINTR, _, _) -> go from
  in
  naming source.path
    (fun () ->
      ignore (Unix.LargeFile.lseek source.fd (Int64.of_int at) SEEK_SET : int64);
      go 0)
    ();
  bytes

let word_of bytes i = Int64.to_int (Bytes.get_int64_ne bytes (word * i))

(* --- the head; the last of its words is written last --- *)

(* 8,192 names of at most 127 bytes. *)
let names_size = 8192 * 128

let head_of source =
  let bytes = read_at source 0 (word * head_words) in
  let length = Int64.to_int (naming source.path Unix.LargeFile.fstat source.fd).st_size in
  let rings = word_of bytes 1 and positions_size = word_of bytes 2 and size = word_of bytes 3 in
  let words = word_of bytes 4 and positions_at = word_of bytes 5 in
  let rings_at = word_of bytes 6 and names_at = word_of bytes 7 in
  (* [parts] of [size] bytes each, from [at] on, end before [until], and lie within the file: OCaml's reader
     takes that for granted. *)
  let fits ~at ~parts ~size ~until =
    let within n = n >= 0 && n <= until in
    until <= length && within at && within parts && within size && parts <= (until - at) / Int.max size 1
  in
  if
    word_of bytes 0 = version
    && rings > 0 && words > 0
    && words land (words - 1) = 0
    && size = word * words
    && positions_size >= 2 * word
    && fits ~at:positions_at ~parts:rings ~size:positions_size ~until:rings_at
    && fits ~at:rings_at ~parts:rings ~size ~until:names_at
    && fits ~at:names_at ~parts:1 ~size:names_size ~until:length
  then Some { rings; words; positions_size; positions_at; rings_at; names_at }
  else None

let head path = try with_file path head_of with Sys_error _ -> None

(* --- copying --- *)

type positions = { ring : int; oldest : int; newest : int }

let positions_of bytes ~at ring = { ring; oldest = word_of bytes at; newest = word_of bytes (at + 1) }

let positions source head ring =
  positions_of (read_at source (head.positions_at + (ring * head.positions_size)) (2 * word)) ~at:0 ring

(* All at nearly one moment. *)
let all_positions source head =
  let bytes = read_at source head.positions_at (head.rings * head.positions_size) in
  List.init head.rings (fun i -> positions_of bytes ~at:(i * head.positions_size / word) i)

let put_words out words =
  let bytes = Bytes.make (word * Array.length words) '\000' in
  Array.iteri (fun i n -> Bytes.set_int64_ne bytes (word * i) (Int64.of_int n)) words;
  Out_channel.output_bytes out bytes

let piece = 1 lsl 16

let copy_bytes source ~at ~size out =
  let rec go from =
    if from < size then begin
      let n = min piece (size - from) in
      Out_channel.output_bytes out (read_at source (at + from) n);
      go (from + n)
    end
  in
  go 0

let most_attempts = 10

(* Copies the words to where they belong in [out], and is what is whole of them. *)
let rec copy_ring source head ~after_words ~to_ out ring attempts =
  Out_channel.seek out (Int64.of_int to_);
  let size = word * head.words in
  copy_bytes source ~at:(head.rings_at + (ring.ring * size)) ~size out;
  after_words ring.ring;
  let now = positions source head ring.ring in
  if attempts > 1 && 2 * (ring.newest - now.oldest) < ring.newest - ring.oldest then
    copy_ring source head ~after_words ~to_ out now (attempts - 1)
  else { ring with oldest = now.oldest; newest = max ring.newest now.oldest }

let copy ?(after_words = ignore) path out =
  with_file path @@ fun source ->
  let head = match head_of source with Some head -> head | None -> wrong path "not a file of rings" in
  let all = all_positions source head in
  let rings = 1 + List.fold_left (fun last r -> if r.newest > 0 then r.ring else last) 0 all in
  let size = word * head.words in
  let rings_at = head.positions_at + (rings * head.positions_size) in
  let names_at = rings_at + (rings * size) in
  put_words out
    [| version; rings; head.positions_size; size; head.words; head.positions_at; rings_at; names_at |];
  (* A reader would go round and round in a ring that is longer than itself. *)
  let checked r = if r.oldest < 0 || r.newest - r.oldest > head.words then wrong path "damaged" else r in
  let copied r =
    let to_ = rings_at + (r.ring * size) in
    if r.newest = 0 then r else checked (copy_ring source head ~after_words ~to_ out r most_attempts)
  in
  let kept = List.map copied (List.filteri (fun i _ -> i < rings) all) in
  Out_channel.seek out (Int64.of_int names_at);
  copy_bytes source ~at:head.names_at ~size:names_size out;
  let put r =
    Out_channel.seek out (Int64.of_int (head.positions_at + (r.ring * head.positions_size)));
    put_words out [| r.oldest; r.newest |]
  in
  List.iter put kept

let overwritten path =
  with_file path @@ fun source ->
  let all = match head_of source with Some head -> all_positions source head | None -> [] in
  List.filter_map (fun r -> if r.newest > 0 && r.oldest = r.newest then Some r.ring else None) all
