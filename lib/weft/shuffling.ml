(* The shuffle of Fisher and Yates, on the range from [first] to [last]. *)
let in_order t a first last =
  for i = last downto first + 1 do
    let j = first + Splitmix.int t (i - first + 1) in
    let x = Array.unsafe_get a i in
    Array.unsafe_set a i (Array.unsafe_get a j);
    Array.unsafe_set a j x
  done

(* So many elements fit into a first-level cache. With more buckets than [most_buckets], the scattered writes
   would miss another cache. *)
let usual_bucket = 4096
let most_buckets = 1024

let over ~who count body =
  Loop.blocks ~who ~start:0 ~finish:(count - 1) (fun first last ->
      for k = first to last do
        body k
      done)

(* The array is divided into pieces. For each piece and bucket, [places] first has the number of elements, and
   then the index to which the next one goes. *)
let count_elements ~who ~pieces ~buckets ~bounds bucket_of =
  let places = Array.make (pieces * buckets) 0 in
  over ~who pieces (fun p ->
      let first, last = bounds p and row = p * buckets in
      for i = first to last do
        let at = row + bucket_of i in
        Array.unsafe_set places at (Array.unsafe_get places at + 1)
      done);
  places

(* Replaces the counts by places; returns where each bucket starts, and last the total length. *)
let starts ~pieces ~buckets places =
  let starts = Array.make (buckets + 1) 0 and sum = ref 0 in
  for b = 0 to buckets - 1 do
    starts.(b) <- !sum;
    for p = 0 to pieces - 1 do
      let at = (p * buckets) + b in
      let n = places.(at) in
      places.(at) <- !sum;
      sum := !sum + n
    done
  done;
  starts.(buckets) <- !sum;
  starts

let in_buckets ~who ~bucket t a =
  let n = Array.length a in
  let buckets = min most_buckets (1 + ((n - 1) / bucket)) in
  (* There must be far fewer counts than elements. *)
  let piece = max bucket (16 * buckets) in
  let pieces = 1 + ((n - 1) / piece) in
  let bounds p = (p * piece, min n ((p + 1) * piece) - 1) in
  let bucket_of i = Splitmix.int_at t i buckets in
  let places = count_elements ~who ~pieces ~buckets ~bounds bucket_of in
  let starts = starts ~pieces ~buckets places in
  let moved = Results.like a n in
  over ~who pieces (fun p ->
      let first, last = bounds p and row = p * buckets in
      for i = first to last do
        let at = row + bucket_of i in
        let place = Array.unsafe_get places at in
        Array.unsafe_set moved place (Array.unsafe_get a i);
        Array.unsafe_set places at (place + 1)
      done);
  (* [moved] has all elements at any time. *)
  try
    over ~who buckets (fun b ->
        let first = starts.(b) and last = starts.(b + 1) - 1 in
        in_order (Splitmix.at t b) moved first last;
        Array.blit moved first a first (last - first + 1))
  with exn ->
    Array.blit moved 0 a 0 n;
    raise exn

let shuffle ?(bucket = usual_bucket) ~who t a =
  Current_worker.poll_anywhere ();
  let t = Splitmix.split t in
  if Array.length a <= bucket then in_order t a 0 (Array.length a - 1)
  else Current_worker.in_pool (fun () -> in_buckets ~who ~bucket t a)
