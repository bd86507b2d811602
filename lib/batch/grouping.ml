let most_shard = (1 lsl 30) - 1

(* A word for each operation: its shard in the upper bits, its place in the batch in the lower ones. Words are
   distinct, and if they are sorted, the operations of a shard are in the order of arrival. *)
let index_bits n =
  let rec go b = if n <= 1 lsl b then b else go (b + 1) in
  go 1

(* --- arrays to use again --- *)

(* Large arrays made for every batch would keep the collector busy. So a batch takes the spare ones, if they
   are there, or else makes new ones; [release] gives them back. *)
type room = {
  words : int array;
  others : int array;
  shards : int array;
  starts : int array;
  counts : int array;
}

let spare = Atomic.make None
let most_kept = 1 lsl 17

(* Different tasks count and move blocks of at least so many words. *)
let block = 8192
let most_blocks = 16
let widest_digit = 11

let make_room n =
  let n = Int.max n 4096 in
  {
    words = Array.make n 0;
    others = Array.make n 0;
    shards = Array.make n 0;
    starts = Array.make (n + 1) 0;
    counts = Array.make (Int.max 1 (Int.min most_blocks (n / block)) lsl widest_digit) 0;
  }

let take_room n =
  match Atomic.exchange spare None with
  | Some room when Array.length room.words >= n -> room
  | _ -> make_room n

(* --- few words --- *)

let rec insert words x j =
  if j > 0 && words.(j - 1) > x then begin
    words.(j) <- words.(j - 1);
    insert words x (j - 1)
  end
  else words.(j) <- x

let insertion_sort words n =
  for i = 1 to n - 1 do
    insert words words.(i) i
  done

(* --- many words: a radix sort from the least digit of the shard on --- *)

let for_blocks blocks body =
  if blocks = 1 then body 0 else Weft.parallel_for ~start:0 ~finish:(blocks - 1) ~body ()

(* Replaces the counts by the places where the words of each digit and block begin. *)
let add_up counts digits blocks =
  let sum = ref 0 in
  for d = 0 to digits - 1 do
    for b = 0 to blocks - 1 do
      let i = (b * digits) + d in
      let c = counts.(i) in
      counts.(i) <- !sum;
      sum := !sum + c
    done
  done

let pass counts source target n ~shift ~digit_bits ~blocks =
  let digits = 1 lsl digit_bits in
  let mask = digits - 1 in
  Array.fill counts 0 (digits * blocks) 0;
  let first b = n * b / blocks in
  for_blocks blocks (fun b ->
      let base = b * digits in
      for i = first b to first (b + 1) - 1 do
        let c = base + ((source.(i) lsr shift) land mask) in
        counts.(c) <- counts.(c) + 1
      done);
  add_up counts digits blocks;
  for_blocks blocks (fun b ->
      let base = b * digits in
      for i = first b to first (b + 1) - 1 do
        let x = source.(i) in
        let c = base + ((x lsr shift) land mask) in
        let place = counts.(c) in
        target.(place) <- x;
        counts.(c) <- place + 1
      done)

(* Returns the array with the result, one of the two. *)
let radix_sort { words; others; counts; _ } n ~low ~bits =
  let widest = if n < 4096 then 8 else widest_digit in
  let passes = (bits + widest - 1) / widest in
  let digit_bits = (bits + passes - 1) / Int.max 1 passes in
  let blocks = Int.max 1 (Int.min most_blocks (n / block)) in
  let rec go source target p =
    if p = passes then source
    else begin
      pass counts source target n ~shift:(low + (p * digit_bits)) ~digit_bits ~blocks;
      go target source (p + 1)
    end
  in
  go words others 0

let rec is_sorted words n i = i >= n || (words.(i - 1) <= words.(i) && is_sorted words n (i + 1))
let few = 32

let sort room n ~low ~greatest =
  let words = room.words in
  if is_sorted words n 1 then words
  else if n <= few then begin
    insertion_sort words n;
    words
  end
  else radix_sort room n ~low ~bits:(index_bits (greatest + 1))

(* --- groups --- *)

type t = { order : int array; shards : int array; starts : int array; room : room }

(* Turns [words] into [order], in place. *)
let cut ({ shards; starts; _ } as room : room) words n ~low =
  let mask = (1 lsl low) - 1 in
  let count = ref 0 and last = ref (-1) in
  for i = 0 to n - 1 do
    let shard = words.(i) lsr low in
    if shard <> !last then begin
      shards.(!count) <- shard;
      starts.(!count) <- i;
      incr count;
      last := shard
    end;
    words.(i) <- words.(i) land mask
  done;
  starts.(!count) <- n;
  { order = words; shards = Array.sub shards 0 !count; starts; room }

let release t = if Array.length t.room.words <= most_kept then Atomic.set spare (Some t.room)

let complain shard =
  invalid_arg (Printf.sprintf "Weft_batch.Expose_repair: shard %d is not in 0..%d" shard most_shard)

let make n shard_of =
  let low = index_bits n in
  let room = take_room n in
  let words = room.words in
  let fill i =
    let shard = shard_of i in
    words.(i) <-
      (if shard < 0 then -1 else if shard > most_shard then complain shard else (shard lsl low) lor i)
  in
  if n < block then
    for i = 0 to n - 1 do
      fill i
    done
  else Weft.parallel_for ~start:0 ~finish:(n - 1) ~body:fill ();
  let others = ref [] and kept = ref 0 and greatest = ref 0 in
  for i = 0 to n - 1 do
    let word = words.(i) in
    if word < 0 then others := i :: !others
    else begin
      words.(!kept) <- word;
      incr kept;
      if word > !greatest then greatest := word
    end
  done;
  let words = sort room !kept ~low ~greatest:(!greatest lsr low) in
  (cut room words !kept ~low, Array.of_list (List.rev !others))
