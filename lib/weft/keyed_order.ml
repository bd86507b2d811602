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
            Results.set_first keys i (key (Array.unsafe_get a i))
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

(* [in_block first last note] tells the extremes of a block. *)
let extremes_of ~who n in_block =
  let found = Atomic_words.make 2 in
  Atomic_words.set_first found 0 max_int;
  Atomic_words.set_first found 1 min_int;
  let note least greatest =
    ignore (Atomic_words.lower found 0 least : bool);
    ignore (Atomic_words.raise_to found 1 greatest : bool)
  in
  over ~who n (fun first last -> in_block first last note);
  { least = Atomic_words.get found 0; greatest = Atomic_words.get found 1 }

(* [are_elements]: each element is an integer, and its own key. *)
type keys = { keys : int array; e : extremes; are_elements : bool }

let keys_of ~who key a =
  let n = Array.length a in
  let keys = Array_repr.make_immediates n and are_elements = Atomic.make true in
  let in_block first last note =
    let least = ref max_int and greatest = ref min_int and same = ref true in
    for i = first to last do
      let x = Array.unsafe_get a i in
      let k = key x in
      set keys i k;
      if k < !least then least := k;
      if k > !greatest then greatest := k;
      if not (Array_repr.is_integer x k) then same := false
    done;
    note !least !greatest;
    if not !same then Atomic.set are_elements false
  in
  let e = extremes_of ~who n in_block in
  { keys; e; are_elements = Atomic.get are_elements }

let extremes_of_integers ~who numbers =
  let in_block first last note =
    let least = ref max_int and greatest = ref min_int in
    for i = first to last do
      let x = get numbers i in
      if x < !least then least := x;
      if x > !greatest then greatest := x
    done;
    note !least !greatest
  in
  extremes_of ~who (Array.length numbers) in_block

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

let add ~who number numbers =
  if number <> 0 then
    over ~who (Array.length numbers) (fun first last ->
        for i = first to last do
          set numbers i (get numbers i + number)
        done)

(* The keys are the elements. They may be sorted as they are, if that takes no more digits than their
   differences to the least do. *)
let sort_elements ~who keys e a =
  let base = if e.least >= 0 && Radix_sort.width e.greatest = width e then 0 else e.least in
  add ~who (-base) keys;
  let sorted = Radix_sort.sort ~who ~low:0 ~bits:(width e) keys in
  add ~who base sorted;
  begin
    match Array_repr.view compare a with
    | Boxed (a, _) -> replace ~who sorted a
    | Floats _ -> invalid_arg "Weft: internal error: integers that are floats"
  end;
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

let sort_by_integers ~who { keys; e; are_elements } a =
  if is_sorted ~who keys then { key_at = get keys }
  else if are_elements then sort_elements ~who keys e a
  else
    match immediates ~who a with
    | None -> sort_indices ~who keys e a
    | Some ((_, elements) as both) ->
        let of_elements = extremes_of_integers ~who elements in
        if width e + width of_elements <= Sys.int_size then sort_beside ~who keys e ~of_elements both
        else sort_indices ~who keys e a

let integer_sort ~key a =
  let who = "Weft.Array.integer_sort" in
  if Array.length a > 0 then
    Current_worker.in_pool (fun () -> ignore (sort_by_integers ~who (keys_of ~who key a) a : sorted))

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
  Bounds.buckets who buckets;
  Bounds.length who (buckets + 1);
  if n = 0 then Array.make (buckets + 1) 0
  else
    Current_worker.in_pool @@ fun () ->
    let keys = keys_of ~who key a in
    Bounds.bucket who keys.e.least buckets;
    Bounds.bucket who keys.e.greatest buckets;
    starts ~who ~buckets n (sort_by_integers ~who keys a)
