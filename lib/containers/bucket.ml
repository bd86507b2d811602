(* [values] is [[||]] while there is no key: then there is nothing to fill it with. Its slots from [size]
   on hold copies of the first value, so that no removed value is kept alive. *)
type 'v t = { mutable size : int; mutable keys : int array; mutable values : 'v array }

let create () = { size = 0; keys = [||]; values = [||] }
let[@inline] size b = b.size
let[@inline] key b i = b.keys.(i)
let[@inline] value b i = b.values.(i)
let fill_up b = Array.fill b.values b.size (Array.length b.values - b.size) b.values.(0)

let set_value b i v =
  b.values.(i) <- v;
  if i = 0 then fill_up b

(* The answer is in [low, high]. *)
let rec search_between keys k low high =
  if low >= high then low
  else
    let middle = (low + high) lsr 1 in
    if Array.unsafe_get keys middle < k then search_between keys k (middle + 1) high
    else search_between keys k low middle

let[@inline] search b k = search_between b.keys k 0 b.size
let[@inline] holds b i k = i < b.size && b.keys.(i) = k

let index b k =
  let i = search b k in
  if holds b i k then i else -1

let reserve b capacity v =
  let keys = Array.make capacity 0 in
  let values = Array.make capacity (if b.size > 0 then b.values.(0) else v) in
  Array.blit b.keys 0 keys 0 b.size;
  Array.blit b.values 0 values 0 b.size;
  b.keys <- keys;
  b.values <- values

(* Keys are moved one by one: [Array.blit] would treat them as pointers, and run the write barrier for
   each. *)
let insert b i k v =
  let n = b.size in
  if n = Array.length b.values then reserve b (Int.max 8 (n + (n lsr 1))) v;
  for j = n downto i + 1 do
    Array.unsafe_set b.keys j (Array.unsafe_get b.keys (j - 1))
  done;
  Array.blit b.values i b.values (i + 1) (n - i);
  b.keys.(i) <- k;
  b.values.(i) <- v;
  b.size <- n + 1;
  if i = 0 then fill_up b

let delete b i =
  let n = b.size - 1 in
  for j = i to n - 1 do
    Array.unsafe_set b.keys j (Array.unsafe_get b.keys (j + 1))
  done;
  Array.blit b.values (i + 1) b.values i (n - i);
  b.size <- n;
  if n = 0 then begin
    b.keys <- [||];
    b.values <- [||]
  end
  else if i = 0 then fill_up b
  else b.values.(n) <- b.values.(0)

let append b other =
  if other.size > 0 then begin
    let n = b.size + other.size in
    if n > Array.length b.values then reserve b n other.values.(0);
    Array.blit other.keys 0 b.keys b.size other.size;
    Array.blit other.values 0 b.values b.size other.size;
    b.size <- n
  end

let split b =
  let n = b.size / 2 in
  let m = b.size - n in
  let upper = { size = m; keys = Array.sub b.keys n m; values = Array.sub b.values n m } in
  b.size <- n;
  fill_up b;
  upper

let warm b =
  let read i = ignore (Sys.opaque_identity b.keys.(i) : int) in
  let n = b.size in
  if n > 0 then begin
    read (n / 4);
    read (n / 2);
    read (3 * n / 4);
    ignore (Sys.opaque_identity b.values.(n / 2))
  end

let iter f b =
  for i = 0 to b.size - 1 do
    f b.keys.(i) b.values.(i)
  done

let check b =
  if b.size > Array.length b.keys || Array.length b.keys <> Array.length b.values then
    failwith "Bucket: the wrong size";
  for i = b.size to Array.length b.values - 1 do
    if b.values.(i) != b.values.(0) && compare b.values.(i) b.values.(0) <> 0 then
      failwith "Bucket: a value that nobody has"
  done;
  for i = 1 to b.size - 1 do
    if b.keys.(i - 1) >= b.keys.(i) then failwith "Bucket: keys out of order"
  done
