open Weft_platform
module Short = Merge_sort.Make (Int_runs)

external get : int array -> int -> int = "%array_unsafe_get"
external set : int array -> int -> int -> unit = "%array_unsafe_set"

let width n =
  let rec from bits n = if n = 0 then bits else from (bits + 1) (n lsr 1) in
  from 0 n

(* With more buckets, the places where the next elements go would not stay in the nearest cache. *)
let widest_digit = 11

(* Up to so many elements are merge sorted. *)
let short = 256

(* There must be far fewer counts than elements. A piece is at most so long, since nobody looks for a
   cancellation in it. *)
let counts_are_few = 16
let longest_piece = 65_536
let pieces_per_worker = 8

let piece_of n ~buckets =
  let share = n / (pieces_per_worker * Current_worker.workers ()) in
  max (counts_are_few * buckets) (min longest_piece share)

type pass = { who : string; shift : int; buckets : int; piece : int; pieces : int }

let over p n body =
  Loop.blocks ~who:p.who ~start:0 ~finish:(p.pieces - 1) (fun i j ->
      for k = i to j do
        body (k * p.buckets) (k * p.piece) (min n ((k + 1) * p.piece) - 1)
      done)

(* For each piece and digit, how many elements of the piece have it. *)
let count p a =
  let counts = Array.make (p.pieces * p.buckets) 0 and shift = p.shift and mask = p.buckets - 1 in
  over p (Array.length a) (fun row first last ->
      for i = first to last do
        let at = row + ((get a i lsr shift) land mask) in
        set counts at (get counts at + 1)
      done);
  counts

(* Replaces each count by the index where the first of these elements goes. Whether there are two different
   digits. *)
let place p counts n =
  let sum = ref 0 and most = ref 0 in
  for b = 0 to p.buckets - 1 do
    let before = !sum in
    for k = 0 to p.pieces - 1 do
      let at = (k * p.buckets) + b in
      let here = get counts at in
      set counts at !sum;
      sum := !sum + here
    done;
    if !sum - before > !most then most := !sum - before
  done;
  !most < n

let move p places a b =
  let shift = p.shift and mask = p.buckets - 1 in
  over p (Array.length a) (fun row first last ->
      for i = first to last do
        let x = get a i in
        let at = row + ((x lsr shift) land mask) in
        let place = get places at in
        set b place x;
        set places at (place + 1)
      done)

(* As few passes as may be, of about equal width; narrower ones for few elements. *)
let digit n bits =
  let widest = min widest_digit (max 4 (width n - 3)) in
  let passes = (bits + widest - 1) / widest in
  (bits + passes - 1) / passes

let by_digits ~who ~low ~bits a =
  let n = Array.length a in
  let digit = digit n bits and high = low + bits in
  let rec from shift a b =
    if shift >= high then a
    else begin
      let buckets = 1 lsl min digit (high - shift) in
      let piece = piece_of n ~buckets in
      let p = { who; shift; buckets; piece; pieces = (n + piece - 1) / piece } in
      let counts = count p a in
      if place p counts n then begin
        let b = match b with Some b -> b | None -> Array_repr.make_immediates n in
        move p counts a b;
        from (shift + digit) b (Some a)
      end
      else from (shift + digit) a b
    end
  in
  from low a None

let sort ~who ~low ~bits a =
  if bits = 0 || Array.length a < 2 then a
  else if Array.length a > short then by_digits ~who ~low ~bits a
  else begin
    (* The lowest bits may hold what does not count, and the highest may be a sign. *)
    let number x = (x lsr low) land (-1 lsr (Sys.int_size - bits)) lxor min_int in
    Short.sort (Merging.start (Array.length a)) (fun x y -> Int.compare (number x) (number y)) a;
    a
  end
