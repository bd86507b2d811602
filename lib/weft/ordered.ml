open Weft_platform
module Sort_boxed = Merge_sort.Make (Boxed_runs)
module Sort_ints = Merge_sort.Make (Int_runs)
module Sort_floats = Merge_sort.Make (Float_runs)
module Sort_plain_floats = Merge_sort.Make (Plain_float_runs)
module Merge_boxed = Merging.Make (Boxed_runs)
module Merge_floats = Merging.Make (Float_runs)

let over n body = Loop.blocks ~who:"Weft.Array" ~start:0 ~finish:(n - 1) body

(* --- sorting --- *)

(* A copy of the elements, if all are immediate. *)
let immediates a =
  let n = Array.length a in
  let likely i = Array_repr.is_immediate (Array.unsafe_get a i) in
  if likely 0 && likely (n / 2) && likely (n - 1) then begin
    let b = Array_repr.make_immediates n in
    let all = Atomic.make true in
    over n (fun first last ->
        if Atomic.get all && not (Array_repr.gather a b first last) then Atomic.set all false);
    if Atomic.get all then Some b else None
  end
  else None

let sort_boxed m cmp a =
  match immediates a with
  | None -> Sort_boxed.sort m cmp a
  | Some b ->
      (* Sorts a copy, and not [a] itself without write barriers: if anybody writes a block to [a] meanwhile,
         that must not confuse the collector. *)
      Sort_ints.sort m (Array_repr.order_of_immediates cmp) b;
      begin
        try over (Array.length a) (Array_repr.scatter b a)
        with exn ->
          Array_repr.put_back b a;
          raise exn
      end

let sort cmp a =
  let n = Array.length a in
  if n > 1 then
    Current_worker.in_pool @@ fun () ->
    let m = Merging.start n in
    match Array_repr.view cmp a with
    | Floats (a, cmp) -> Sort_floats.sort m cmp a
    | Boxed (a, cmp) -> sort_boxed m cmp a

let sort_floats a =
  let n = Float.Array.length a in
  if n > 1 then Current_worker.in_pool (fun () -> Sort_plain_floats.sort (Merging.start n) () a)

let sort_floatarray cmp a =
  let n = Float.Array.length a in
  if n > 1 then Current_worker.in_pool (fun () -> Sort_floats.sort (Merging.start n) cmp a)

let sorted cmp a =
  let a = Array_copy.copy a in
  sort cmp a;
  a

let sorted_floats a =
  let a = Floatarray_copy.copy a in
  sort_floats a;
  a

(* The body is a recursive function, not a [for] loop: it stops at the first pair that is not in order. *)
let is_sorted ?pos ?len cmp a =
  let who = "Weft.Array.is_sorted" in
  let start, finish = Bounds.range who pos len (Array.length a) in
  let look first last =
    let rec from i x =
      let y = Array.unsafe_get a (i + 1) in
      if cmp x y > 0 then Some () else if i < last then from (i + 1) y else None
    in
    from first (Array.unsafe_get a first)
  in
  finish <= start || Option.is_none (Search.any ~who ~start ~finish:(finish - 1) look)

let is_sorted_floats ?pos ?len a =
  let who = "Weft.Floatarray.is_sorted" in
  let start, finish = Bounds.range who pos len (Float.Array.length a) in
  let look first last =
    let rec from i =
      let x = Float.Array.unsafe_get a i and y = Float.Array.unsafe_get a (i + 1) in
      (* [Float.compare] handles [nan]. *)
      if x <= y || Float.compare x y <= 0 then if i < last then from (i + 1) else None else Some ()
    in
    from first
  in
  finish <= start || Option.is_none (Search.any ~who ~start ~finish:(finish - 1) look)

(* --- sorted arrays --- *)

(* Up to so many elements of both are merged by the caller alone, in a plain loop: what a parallel merge does
   before its first comparison would take longer. *)
let few = 32

(* How far the caller has come in both arrays. *)
type 'a turn = { a : 'a array; b : 'a array; r : 'a array; mutable i : int; mutable j : int }

(* Merges until it comes to [a_end] in the one or to [b_end] in the other (exclusive), both further on. *)
let merge_to cmp ({ a; b; r; _ } as t) a_end b_end =
  let rec from i x j y =
    if cmp x y <= 0 then begin
      Results.set_first r (i + j) x;
      let i = i + 1 in
      if i < a_end then from i (Array.unsafe_get a i) j y else stop i j
    end
    else begin
      Results.set_first r (i + j) y;
      let j = j + 1 in
      if j < b_end then from i x j (Array.unsafe_get b j) else stop i j
    end
  and stop i j =
    t.i <- i;
    t.j <- j
  in
  from t.i (Array.unsafe_get a t.i) t.j (Array.unsafe_get b t.j)

let rec copy_to r at a from until =
  if from < until then begin
    Results.set_first r at (Array.unsafe_get a from);
    copy_to r (at + 1) a (from + 1) until
  end

(* One of the arrays has come to its end. *)
let copy_rest t =
  copy_to t.r (t.i + t.j) t.a t.i (Array.length t.a);
  copy_to t.r (t.i + t.j) t.b t.j (Array.length t.b)

let turn a b = { a; b; r = Results.like a (Array.length a + Array.length b); i = 0; j = 0 }

let merge_few cmp a b =
  let t = turn a b in
  merge_to cmp t (Array.length a) (Array.length b);
  copy_rest t;
  t.r

let merge_divided cmp a b =
  let middle = Array.length a in
  let n = middle + Array.length b in
  let m = Merging.start n in
  match Array_repr.view cmp (Array.append a b) with
  | Floats (both, cmp) ->
      let r = Float_runs.create both in
      Merge_floats.merge m cmp both 0 middle middle n r 0;
      Array_repr.of_floats r
  | Boxed (both, cmp) ->
      let r = Boxed_runs.create both in
      Merge_boxed.merge m cmp both 0 middle middle n r 0;
      Array_repr.of_boxed r

(* So many elements of each between two looks at the deque. *)
let block = 64

(* Where a loop would not be divided at first. Where thieves have emptied the deque, the rest is. *)
let merge_in_turn ~workers cmp a b =
  let n = Array.length a and m = Array.length b in
  let t = turn a b in
  let rec from () =
    Current_worker.poll ();
    merge_to cmp t (Int.min n (t.i + block)) (Int.min m (t.j + block));
    if t.i < n && t.j < m then
      if workers > 1 && n - t.i + m - t.j > few && Current_worker.has_no_jobs () then begin
        let rest = merge_divided cmp (Array.sub a t.i (n - t.i)) (Array.sub b t.j (m - t.j)) in
        Array_copy.blit rest 0 t.r (t.i + t.j) (Array.length rest)
      end
      else from ()
    else copy_rest t
  in
  from ();
  t.r

let merge cmp a b =
  let n = Array.length a and m = Array.length b in
  if n = 0 then Array_copy.copy b
  else if m = 0 then Array_copy.copy a
  else if n + m <= few && Deque_memory.id (Current_worker.deque ()) >= 0 then begin
    Current_worker.poll ();
    merge_few cmp a b
  end
  else
    Current_worker.in_pool @@ fun () ->
    let workers = Current_worker.workers () in
    let is_undivided = workers = 1 || Current_worker.has_many_jobs ~workers in
    if is_undivided && not (Current_worker.is_profiled ()) then merge_in_turn ~workers cmp a b
    else merge_divided cmp a b

let dedup cmp a =
  let n = Array.length a in
  if n < 2 then Array.copy a
  else
    Current_worker.in_pool @@ fun () ->
    let is_new = Bytes.make n '\001' in
    over (n - 1) (fun first last ->
        for i = first to last do
          if cmp (Array.unsafe_get a i) (Array.unsafe_get a (i + 1)) = 0 then
            Bytes.unsafe_set is_new (i + 1) '\000'
        done);
    let block = Grain.scan_block n in
    let count = (n + block - 1) / block in
    let new_in first last =
      let sum = ref 0 in
      for i = first to last do
        sum := !sum + Char.code (Bytes.unsafe_get is_new i)
      done;
      !sum
    in
    let last k = min n ((k + 1) * block) - 1 in
    let starts = Array.make count 0 in
    over count (fun first until ->
        for k = first to until do
          starts.(k) <- new_in (k * block) (last k)
        done);
    let total = ref 0 in
    Array.iteri
      (fun k size ->
        starts.(k) <- !total;
        total := !total + size)
      starts;
    let r = Results.like a !total in
    over count (fun first until ->
        for k = first to until do
          let next = ref starts.(k) in
          for i = k * block to last k do
            if Bytes.unsafe_get is_new i <> '\000' then begin
              Results.set_first r !next (Array.unsafe_get a i);
              incr next
            end
          done
        done);
    r

let sort_uniq cmp a =
  let a = Array.copy a in
  sort cmp a;
  dedup cmp a
