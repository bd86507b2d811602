(* A balanced tree in an array: the root of the part from [low] to [high] is in the middle, and [latest] has
   the latest end in that part. *)
type t = { spans : Trace.span array; latest : int array }

let of_list spans =
  let spans = Array.of_list spans in
  Array.stable_sort (fun (a : Trace.span) (b : Trace.span) -> Int.compare a.start b.start) spans;
  let latest = Array.make (Array.length spans) 0 in
  let rec build low high =
    if low = high then min_int
    else
      let root = (low + high) / 2 in
      let beside = max (build low root) (build (root + 1) high) in
      latest.(root) <- max spans.(root).stop beside;
      latest.(root)
  in
  ignore (build 0 (Array.length spans) : int);
  { spans; latest }

let fold t ~from ~until f first =
  let rec go low high found =
    let root = (low + high) / 2 in
    if low = high || t.latest.(root) < from then found
    else
      let found = go low root found and span = t.spans.(root) in
      if span.start > until then found
      else go (root + 1) high (if span.stop >= from then f found span else found)
  in
  go 0 (Array.length t.spans) first
