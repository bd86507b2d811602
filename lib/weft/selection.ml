(* Up to so many elements are sorted. *)
let few = 64

(* An element that is a little nearer to the middle than number [k] of [n], as a random sample says: so [k] lies
   on the shorter side, most likely. The sample is the same in each run (Floyd and Rivest, Expected time bounds
   for selection, 1975, take one to both sides of [k]). *)
let pivot cmp random k a =
  let n = Array.length a in
  let size = if n < 4096 then 9 else 121 in
  let sample = Array.init size (fun _ -> a.(Splitmix.int random n)) in
  Array.stable_sort cmp sample;
  let deviation = if n < 4096 then 1 else 6 in
  let at = int_of_float (float size *. (float k /. float n)) in
  sample.(if k < n / 2 then min (at + deviation) (size / 2) else max (at - deviation) (size / 2))

let less = '\000'
let equal = '\001'
let greater = '\002'

(* Where each element lies beside the pivot. *)
let sides ~who cmp pivot a =
  let sides = Bytes.create (Array.length a) in
  Loop.blocks ~who ~start:0
    ~finish:(Array.length a - 1)
    (fun first last ->
      for i = first to last do
        let c = cmp (Array.unsafe_get a i) pivot in
        Bytes.unsafe_set sides i (if c < 0 then less else if c = 0 then equal else greater)
      done);
  sides

(* The elements of one side, in order. *)
let side sieve a sides which =
  let before = Array.make (Sieve.count sieve) 0 in
  Sieve.over sieve (fun k first last ->
      let here = ref 0 in
      for i = first to last do
        if Bytes.unsafe_get sides i = which then incr here
      done;
      before.(k) <- !here);
  let total = Sieve.add_up before in
  Array_filter.pick sieve a sides which ~start:(fun k _ -> before.(k)) ~total

let count ~who sides which =
  let fold first last =
    let n = ref 0 in
    for i = first to last do
      if Bytes.unsafe_get sides i = which then incr n
    done;
    !n
  in
  Reduce.reduce ~who ~start:0 ~finish:(Bytes.length sides - 1) ~fold ( + )

let by_sorting cmp k a = (Ordered.sorted cmp a).(k)

(* Quickselect (Hoare, Algorithm 65: Find, 1961). *)
let rec select ~who cmp random k a =
  let n = Array.length a in
  if n <= few then by_sorting cmp k a
  else begin
    let sides = sides ~who cmp (pivot cmp random k a) a in
    let less_ones = count ~who sides less in
    let up_to_equal = less_ones + count ~who sides equal in
    let which, k =
      if k < less_ones then (less, k)
      else if k < up_to_equal then (equal, k - less_ones)
      else (greater, k - up_to_equal)
    in
    let part = side (Sieve.make ~who n) a sides which in
    if which = equal then part.(k)
      (* The pivot is equal to itself, unless the comparison contradicts itself. *)
    else if Array.length part = n then by_sorting cmp k part
    else select ~who cmp random k part
  end

let kth_smallest ~who cmp k a =
  let n = Array.length a in
  if k < 0 || k >= n then invalid_arg (Printf.sprintf "%s: number %d of %d elements" who k n);
  Current_worker.in_pool (fun () -> select ~who cmp (Splitmix.make 1) k a)
