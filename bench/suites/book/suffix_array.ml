(* $MDX part-begin=book *)
let suffix_array s =
  let n = String.length s in
  let keys = 1 + Int.max n 256 in
  (* [rank] is the order of the suffixes by their first [h] bytes; equal ones have the same rank. *)
  let rec doubled rank h =
    let key i = (rank.(i) * keys) + if i + h < n then 1 + rank.(i + h) else 0 in
    let order = Weft.Array.init n Fun.id in
    Weft.Array.integer_sort ~key order;
    let differs k = if k > 0 && key order.(k) <> key order.(k - 1) then 1 else 0 in
    let ranks = Weft.Array.init n differs in
    Weft.Array.scan_inplace ( + ) ranks;
    if n = 0 || ranks.(n - 1) = n - 1 then order
    else begin
      let rank = Weft.Array.make n 0 in
      Weft.Array.iter2 (fun i r -> rank.(i) <- r) order ranks;
      doubled rank (2 * h)
    end
  in
  doubled (Weft.Array.init n (fun i -> Char.code s.[i])) 1
(* $MDX part-end *)

(* {1 Sequential} *)

(* The same steps, with this way to sort. *)
let by_doubling sort s =
  let n = String.length s in
  let keys = 1 + Int.max n 256 in
  let rec doubled rank h =
    let key i = (rank.(i) * keys) + if i + h < n then 1 + rank.(i + h) else 0 in
    let order = sort ~key (Array.init n Fun.id) in
    let ranks = Array.make n 0 in
    for k = 1 to n - 1 do
      ranks.(k) <- (ranks.(k - 1) + if key order.(k) <> key order.(k - 1) then 1 else 0)
    done;
    if n = 0 || ranks.(n - 1) = n - 1 then order
    else begin
      let rank = Array.make n 0 in
      for k = 0 to n - 1 do
        rank.(order.(k)) <- ranks.(k)
      done;
      doubled rank (2 * h)
    end
  in
  doubled (Array.init n (fun i -> Char.code s.[i])) 1

let sequential s = by_doubling Plain_arrays.radix_sort s

(* The order by the second half of each prefix is known from the round before: one counting sort by rank is
   enough. *)
let best_sequential s =
  let n = String.length s in
  let counts = Array.make (1 + Int.max n 256) 0 in
  let counting_sort rank greatest order =
    Array.fill counts 0 (greatest + 2) 0;
    for i = 0 to n - 1 do
      let after = rank.(i) + 1 in
      counts.(after) <- counts.(after) + 1
    done;
    for r = 1 to greatest do
      counts.(r) <- counts.(r) + counts.(r - 1)
    done;
    let sorted = Array.make n 0 in
    for k = 0 to n - 1 do
      let i = order.(k) in
      let r = rank.(i) in
      sorted.(counts.(r)) <- i;
      counts.(r) <- counts.(r) + 1
    done;
    sorted
  in
  (* [order] is that by the first [h] bytes, [rank] by half as many. *)
  let rec doubled rank order h =
    let second i = if i + (h / 2) < n then rank.(i + (h / 2)) else -1 in
    let ranks = Array.make n 0 and greatest = ref 0 in
    for k = 1 to n - 1 do
      let i = order.(k - 1) and j = order.(k) in
      if rank.(i) <> rank.(j) || (h > 1 && second i <> second j) then incr greatest;
      ranks.(j) <- !greatest
    done;
    if !greatest >= n - 1 then order
    else begin
      let by_second = Array.make n 0 and next = ref 0 in
      for i = Int.max 0 (n - h) to n - 1 do
        by_second.(!next) <- i;
        incr next
      done;
      for k = 0 to n - 1 do
        let i = order.(k) - h in
        if i >= 0 then begin
          by_second.(!next) <- i;
          incr next
        end
      done;
      doubled ranks (counting_sort ranks !greatest by_second) (2 * h)
    end
  in
  let rank = Array.init n (fun i -> Char.code s.[i]) in
  doubled rank (counting_sort rank 255 (Array.init n Fun.id)) 1

(* {1 By hand} *)

let blocks = 8

(* Each of [blocks] parts counts and moves its own elements. *)
let radix_sort ~key order =
  let n = Array.length order in
  let digit = 11 in
  let keys = Weft.Array.init n key in
  let greatest = Weft.Array.reduce Int.max 0 keys in
  let rec pass shift order into =
    if greatest lsr shift = 0 then order
    else begin
      let digit_of i = (keys.(i) lsr shift) land ((1 lsl digit) - 1) in
      let counts = Array.init blocks (fun _ -> Array.make (1 lsl digit) 0) in
      let in_blocks f =
        let body b = f counts.(b) (b * n / blocks) (((b + 1) * n / blocks) - 1) in
        Weft.parallel_for ~chunk_size:1 ~start:0 ~finish:(blocks - 1) ~body ()
      in
      in_blocks (fun counts first last ->
          for k = first to last do
            let d = digit_of order.(k) in
            counts.(d) <- counts.(d) + 1
          done);
      let sum = ref 0 in
      for d = 0 to (1 lsl digit) - 1 do
        for b = 0 to blocks - 1 do
          let count = counts.(b).(d) in
          counts.(b).(d) <- !sum;
          sum := !sum + count
        done
      done;
      in_blocks (fun places first last ->
          for k = first to last do
            let i = order.(k) in
            let d = digit_of i in
            into.(places.(d)) <- i;
            places.(d) <- places.(d) + 1
          done);
      pass (shift + digit) into order
    end
  in
  pass 0 order (Array.make n 0)

let by_hand s =
  let n = String.length s in
  let rec doubled rank greatest h =
    let keys = greatest + 2 in
    let key i = (rank.(i) * keys) + if i + h < n then 1 + rank.(i + h) else 0 in
    let order = radix_sort ~key (Weft.Array.init n Fun.id) in
    let differs k = if k > 0 && key order.(k) <> key order.(k - 1) then 1 else 0 in
    let ranks = Weft.Array.scan ( + ) (Weft.Array.init n differs) in
    if n = 0 || ranks.(n - 1) = n - 1 then order
    else begin
      let rank = Weft.Array.make n 0 in
      Weft.Array.iteri (fun k i -> rank.(i) <- ranks.(k)) order;
      doubled rank ranks.(n - 1) (2 * h)
    end
  in
  doubled (Weft.Array.init n (fun i -> Char.code s.[i])) 255 1

(* Of blanks and four letters, with long parts that occur several times. *)
let text size =
  let random = Weft.Random.make size in
  let letter i = Char.chr (97 + Weft.Random.int_at random i 4) in
  String.init size (fun i ->
      if Weft.Random.int_at random (i / 7 mod 4_001) 5 = 0 then ' ' else letter ((i mod 30_011) + (i / 60_022)))

let benchmark =
  Textbook.benchmark ~name:"suffix_array" ~doc:"the suffixes of a text in order, by prefix doubling"
    ~size_doc:"the number of bytes" ~size:300_000 ~quick:20_000 ~input:text ~digest:Same_result.ints
    { best_sequential; sequential; book = suffix_array; by_hand }
