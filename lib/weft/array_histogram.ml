(* Calls [body k first last] for the parts 0 to [parts - 1] of the range from [start] to [finish], which must
   have at least [parts] indices. *)
let over who ~parts ~start ~finish body =
  let n = finish - start + 1 in
  let begins k = start + (k * (n / parts)) + Int.min k (n mod parts) in
  Loop.blocks ~who ~start:0 ~finish:(parts - 1) (fun i j ->
      for k = i to j do
        body k (begins k) (begins (k + 1) - 1)
      done)

(* Calls [body] for pieces of the range, in order, and polls before each: it calls functions of the user's. *)
let in_pieces first last body =
  let rec from k =
    if k <= last then begin
      Current_worker.poll ();
      body k (Int.min last (k + (Source.piece - 1)));
      from (k + Source.piece)
    end
  in
  from first

(* --- many buckets: each worker has a range of them, and goes through the buckets of all elements --- *)

(* Reading is far faster than adding to buckets anywhere in memory; but with too many workers it would take
   longer. *)
let most_ranges = 16

(* Calls [add i b] for all elements: for those of one bucket one after the other, in order. *)
let by_ranges who ~buckets chosen add =
  let ranges = Int.min buckets (Int.min most_ranges (Current_worker.workers ())) in
  let n = Array.length chosen in
  over who ~parts:ranges ~start:0 ~finish:(buckets - 1) (fun _ least most ->
      in_pieces 0 (n - 1) (fun first last ->
          for i = first to last do
            let b = Array.unsafe_get chosen i in
            if least <= b && b <= most then add i b
          done))

(* --- histogram --- *)

let who = "Weft.Array.histogram"
let parts_per_worker = 8

(* Every part has its own counts, on a pool of one worker, too: extra workers may help it
   ({!Weft_scheduler.Extra_workers}). *)
let count_in_parts ~parts ~buckets ~start ~finish f a =
  let counts = Array.make parts [||] in
  over who ~parts ~start ~finish (fun k first last ->
      let mine = Array.make buckets 0 in
      in_pieces first last (fun first last ->
          for i = first to last do
            let b = f (Array.unsafe_get a i) in
            Bounds.bucket who b buckets;
            Array.unsafe_set mine b (Array.unsafe_get mine b + 1)
          done);
      counts.(k) <- mine);
  let total = counts.(0) in
  Loop.blocks ~who ~start:0 ~finish:(buckets - 1) (fun first last ->
      for k = 1 to parts - 1 do
        let part = counts.(k) in
        for b = first to last do
          Array.unsafe_set total b (Array.unsafe_get total b + Array.unsafe_get part b)
        done
      done);
  total

let count_by_ranges ~buckets ~start ~finish f a =
  let chosen = Array.make (finish - start + 1) 0 in
  Loop.blocks ~who ~start ~finish (fun first last ->
      for i = first to last do
        let b = f (Array.unsafe_get a i) in
        Bounds.bucket who b buckets;
        Array.unsafe_set chosen (i - start) b
      done);
  let total = Array.make buckets 0 in
  by_ranges who ~buckets chosen (fun _ b -> Array.unsafe_set total b (Array.unsafe_get total b + 1));
  total

let histogram ?pos ?len ~buckets f a =
  Bounds.buckets who buckets;
  let start, finish = Bounds.range who pos len (Array.length a) in
  if finish < start then Array.make buckets 0
  else
    Current_worker.in_pool @@ fun () ->
    let parts = parts_per_worker * Current_worker.workers () in
    if buckets > 0 && buckets <= (finish - start + 1) / parts then
      (* Adding up the parts takes no longer than counting. *)
      count_in_parts ~parts ~buckets ~start ~finish f a
    else count_by_ranges ~buckets ~start ~finish f a

(* --- reduce_by_index --- *)

let by_index = "Weft.Array.reduce_by_index"

(* So many parts, however many workers there are: floats come out with the same bits. *)
let fixed_parts = 64

type 'v sum = Nothing | Sum of 'v

let add f sum v = match sum with Nothing -> Sum v | Sum s -> Sum (f s v)

let reduce_in_parts ~buckets f init a =
  let sums = Array.make fixed_parts [||] in
  over by_index ~parts:fixed_parts ~start:0
    ~finish:(Array.length a - 1)
    (fun k first last ->
      let mine = Array.make buckets Nothing in
      in_pieces first last (fun first last ->
          for i = first to last do
            let b, v = Array.unsafe_get a i in
            Bounds.bucket by_index b buckets;
            mine.(b) <- add f mine.(b) v
          done);
      sums.(k) <- mine);
  let total b =
    Array.fold_left (fun sum mine -> match mine.(b) with Nothing -> sum | Sum v -> f sum v) init sums
  in
  Results.by_blocks ~who:by_index ~length:buckets total (fun r first last ->
      for b = first to last do
        Array.unsafe_set r b (total b)
      done)

let reduce_by_ranges ~buckets f init a =
  let chosen = Array.make (Array.length a) 0 in
  Loop.blocks ~who:by_index ~start:0
    ~finish:(Array.length a - 1)
    (fun first last ->
      for i = first to last do
        let b, _ = Array.unsafe_get a i in
        Bounds.bucket by_index b buckets;
        Array.unsafe_set chosen i b
      done);
  let sums = Results.make buckets init in
  by_ranges by_index ~buckets chosen (fun i b -> sums.(b) <- f sums.(b) (snd (Array.unsafe_get a i)));
  sums

let reduce_by_index ~buckets f init a =
  Bounds.buckets by_index buckets;
  let n = Array.length a in
  if n = 0 then Results.make buckets init
  else
    Current_worker.in_pool @@ fun () ->
    if buckets > 0 && buckets <= n / fixed_parts then reduce_in_parts ~buckets f init a
    else reduce_by_ranges ~buckets f init a
