(* $MDX part-begin=book *)
let word_count text =
  Weft.Seq.Text.(tokens (of_string text))
  |> Weft.Seq.to_array
  |> Weft.Array.histogram_by_key ~hash:String.hash ~equal:String.equal ~key:Fun.id
(* $MDX part-end *)

let book = word_count

(* {1 Sequential} *)

(* Calls [f first stop] for each word of [s] that begins in the range. *)
let iter_words f s ~from ~till =
  let start = ref from in
  let word stop = if !start < stop then f !start stop in
  for i = from to till - 1 do
    if Inputs.is_space (String.unsafe_get s i) then begin
      word i;
      start := i + 1
    end
  done;
  word till

module Table = Hashtbl.Make (String)

let add counts word n =
  match Table.find counts word with
  | count -> count := !count + n
  | exception Not_found -> Table.add counts word (ref n)

let pairs counts =
  let pairs = Array.make (Table.length counts) ("", 0) and next = ref 0 in
  Table.iter
    (fun word n ->
      pairs.(!next) <- (word, !n);
      incr next)
    counts;
  pairs

let sequential text =
  let words = ref [] in
  iter_words
    (fun first stop -> words := String.sub text first (stop - first) :: !words)
    text ~from:0 ~till:(String.length text);
  let words = Array.of_list !words and counts = Table.create 65_536 in
  for i = 0 to Array.length words - 1 do
    add counts words.(i) 1
  done;
  pairs counts

let counts text ~from ~till =
  let counts = Table.create 65_536 in
  iter_words (fun first stop -> add counts (String.sub text first (stop - first)) 1) text ~from ~till;
  counts

let best_sequential text = pairs (counts text ~from:0 ~till:(String.length text))

(* {1 By hand} *)

let blocks = 8

(* A table for each block of the text; then all are added to the first one. *)
let by_hand text =
  let n = String.length text in
  let rec cut i = if i < n && not (Inputs.is_space text.[i]) then cut (i + 1) else i in
  let border b = if b = 0 then 0 else cut (b * n / blocks) in
  let tables = Array.make blocks (Table.create 1) in
  let body b = tables.(b) <- counts text ~from:(border b) ~till:(border (b + 1)) in
  Weft.parallel_for ~chunk_size:1 ~start:0 ~finish:(blocks - 1) ~body ();
  for b = 1 to blocks - 1 do
    Table.iter (fun word n -> add tables.(0) word !n) tables.(b)
  done;
  pairs tables.(0)

let benchmark =
  Textbook.benchmark ~name:"word_count" ~doc:"how often each word of a text occurs"
    ~size_doc:"the number of words" ~size:1_500_000 ~quick:50_000 ~input:Inputs.text
    ~digest:(Checks.fingerprint Hashtbl.hash)
    { best_sequential; sequential; book; by_hand }
