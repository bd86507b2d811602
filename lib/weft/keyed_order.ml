open Weft_platform
module Sort_ints = Merge_sort.Make (Int_runs)

external get : int array -> int -> int = "%array_unsafe_get"
external set : int array -> int -> int -> unit = "%array_unsafe_set"

let over ~who n body = Loop.blocks ~who ~start:0 ~finish:(n - 1) body

(* --- a permutation is applied --- *)

(* The primitive itself; it checks no bounds. There is no safepoint in it, so nothing stops it. *)
external blit : 'a array -> int -> 'a array -> int -> int -> unit = "caml_array_blit"

(* Element [k] becomes the one with index [order.(k) land mask]. *)
let permute ~who order ~mask a =
  let n = Array.length a in
  let old = Array_copy.copy a in
  try
    over ~who n (fun first last ->
        for k = first to last do
          Array.unsafe_set a k (Array.unsafe_get old (get order k land mask))
        done)
  with exn ->
    blit old 0 a 0 n;
    raise exn

let replace ~who elements a =
  try over ~who (Array.length elements) (Array_repr.scatter elements a)
  with exn ->
    Array_repr.put_back elements a;
    raise exn

let indices ~who n =
  let order = Array_repr.make_immediates n in
  over ~who n (fun first last ->
      for i = first to last do
        set order i i
      done);
  order

(* --- by comparing --- *)

let order_of ~who n cmp =
  let order = indices ~who n in
  Sort_ints.sort (Merging.start n) cmp order;
  order

let sort_by_key ~key cmp a =
  let who = "Weft.Array.sort_by_key" and n = Array.length a in
  if n > 0 then
    Current_worker.in_pool @@ fun () ->
    let keys =
      Results.by_blocks ~who ~length:n
        (fun i -> key (Array.unsafe_get a i))
        (fun keys first last ->
          for i = first to last do
            Array.unsafe_set keys i (key (Array.unsafe_get a i))
          done)
    in
    let order = order_of ~who n (fun i j -> cmp (Array.unsafe_get keys i) (Array.unsafe_get keys j)) in
    permute ~who order ~mask:(-1) a

let rank ~who n cmp =
  if n = 0 then [||]
  else
    Current_worker.in_pool @@ fun () ->
    let order = order_of ~who n cmp in
    let r = Array.make n 0 in
    over ~who n (fun first last ->
        for k = first to last do
          set r (get order k) k
        done);
    r

(* --- by integers --- *)

(* The least and the greatest of some numbers. *)
type extremes = { least : int; greatest : int }

let width e = Radix_sort.width (e.greatest - e.least)

(* Each block notes its own. *)
let extremes_of ~who numbers =
  let found = Atomic_words.make 2 in
  Atomic_words.set_first found 0 max_int;
  Atomic_words.set_first found 1 min_int;
  over ~who (Array.length numbers) (fun first last ->
      let least = ref (get numbers first) and greatest = ref (get numbers first) in
      for i = first + 1 to last do
        let x = get numbers i in
        if x < !least then least := x;
        if x > !greatest then greatest := x
      done;
      ignore (Atomic_words.lower found 0 !least : bool);
      ignore (Atomic_words.raise_to found 1 !greatest : bool));
  { least = Atomic_words.get found 0; greatest = Atomic_words.get found 1 }

let keys_of ~who key a =
  let keys = Array_repr.make_immediates (Array.length a) in
  over ~who (Array.length a) (fun first last ->
      for i = first to last do
        set keys i (key (Array.unsafe_get a i))
      done);
  keys

(* Whether [found] answers [true] for no index. *)
let never ~who ~finish found =
  let look first last =
    let rec from i = if found i then Some () else if i < last then from (i + 1) else None in
    from first
  in
  Option.is_none (Search.any ~who ~start:0 ~finish look)

let is_sorted ~who keys = never ~who ~finish:(Array.length keys - 2) (fun i -> get keys i > get keys (i + 1))

(* The elements, if they are integers or other immediates; and the array without its type. *)
let immediates ~who a =
  match Array_repr.view compare a with
  | Floats _ -> None
  | Boxed (a, _) ->
      let n = Array.length a in
      let likely i = Array_repr.is_immediate (Array.unsafe_get a i) in
      if likely 0 && likely (n / 2) && likely (n - 1) then begin
        let b = Array_repr.make_immediates n and all = Atomic.make true in
        over ~who n (fun first last ->
            if Atomic.get all && not (Array_repr.gather a b first last) then Atomic.set all false);
        if Atomic.get all then Some (a, b) else None
      end
      else None

(* Keys in order: [key_at k] is the one at place [k]. *)
type sorted = { key_at : int -> int }

(* The keys are the elements. *)
let sort_elements ~who e (a, elements) =
  let least = e.least and n = Array.length elements in
  over ~who n (fun first last ->
      for i = first to last do
        set elements i (get elements i - least)
      done);
  let sorted = Radix_sort.sort ~who ~low:0 ~bits:(width e) elements in
  over ~who n (fun first last ->
      for i = first to last do
        set sorted i (get sorted i + least)
      done);
  replace ~who sorted a;
  { key_at = get sorted }

(* Elements lie beside their keys, in the lowest bits. *)
let sort_beside ~who keys e ~of_elements (a, elements) =
  let low = width of_elements and key_least = e.least and least = of_elements.least in
  let n = Array.length keys in
  over ~who n (fun first last ->
      for i = first to last do
        set elements i (((get keys i - key_least) lsl low) lor (get elements i - least))
      done);
  let sorted = Radix_sort.sort ~who ~low ~bits:(width e) elements in
  let mask = (1 lsl low) - 1 in
  over ~who n (fun first last ->
      for k = first to last do
        let pair = get sorted k in
        set keys k ((pair lsr low) + key_least);
        set sorted k ((pair land mask) + least)
      done);
  replace ~who sorted a;
  { key_at = get keys }

(* Indices lie beside as many bits of the keys as there is room for: first the lowest ones, then, in that
   order, the next. *)
let sort_indices ~who keys e a =
  let n = Array.length keys in
  let low = Radix_sort.width (n - 1) in
  let room = Sys.int_size - low and index = (1 lsl low) - 1 in
  let least = e.least and all = width e in
  let rec rounds from order =
    if from >= all then order
    else begin
      let bits = min room (all - from) in
      let mask = -1 lsr (Sys.int_size - bits) in
      let pairs = Array_repr.make_immediates n in
      over ~who n (fun first last ->
          for k = first to last do
            let i = if from = 0 then k else get order k land index in
            set pairs k (((((get keys i - least) lsr from) land mask) lsl low) lor i)
          done);
      rounds (from + bits) (Radix_sort.sort ~who ~low ~bits pairs)
    end
  in
  let order = rounds 0 keys in
  permute ~who order ~mask:index a;
  { key_at = (fun k -> get keys (get order k land index)) }

let sort_by_integers ~who keys e a =
  if is_sorted ~who keys then { key_at = get keys }
  else
    match immediates ~who a with
    | None -> sort_indices ~who keys e a
    | Some ((_, elements) as both) ->
        if never ~who ~finish:(Array.length keys - 1) (fun i -> get keys i <> get elements i) then
          sort_elements ~who e both
        else
          let of_elements = extremes_of ~who elements in
          if width e + width of_elements <= Sys.int_size then sort_beside ~who keys e ~of_elements both
          else sort_indices ~who keys e a

let integer_sort ~key a =
  let who = "Weft.Array.integer_sort" in
  if Array.length a > 0 then
    Current_worker.in_pool @@ fun () ->
    let keys = keys_of ~who key a in
    ignore (sort_by_integers ~who keys (extremes_of ~who keys) a : sorted)

(* Where each bucket begins: a block writes those between the key before it and its last one. *)
let starts ~who ~buckets n { key_at } =
  let starts = Array.make (buckets + 1) n in
  over ~who n (fun first last ->
      let before = ref (if first = 0 then -1 else key_at (first - 1)) in
      for k = first to last do
        let key = key_at k in
        if key > !before then Array.fill starts (!before + 1) (key - !before) k;
        before := key
      done);
  starts

let counting_sort ~buckets ~key a =
  let who = "Weft.Array.counting_sort" and n = Array.length a in
  if buckets < 0 then invalid_arg (Printf.sprintf "%s: negative number of buckets %d" who buckets);
  Bounds.length who (buckets + 1);
  if n = 0 then Array.make (buckets + 1) 0
  else
    Current_worker.in_pool @@ fun () ->
    let keys = keys_of ~who key a in
    let e = extremes_of ~who keys in
    let refuse bucket = invalid_arg (Printf.sprintf "%s: bucket %d of %d" who bucket buckets) in
    if e.least < 0 then refuse e.least;
    if e.greatest >= buckets then refuse e.greatest;
    starts ~who ~buckets n (sort_by_integers ~who keys e a)
