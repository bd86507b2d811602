(* Slot [i] has its key at [2 i], or -1 if it is free, and its value at [2 i + 1]: both are in one cache
   line. *)
type t = { mutable slots : int array; mutable mask : int; mutable shift : int; mutable length : int }

let least_bits = 3
let create () = { slots = [||]; mask = -1; shift = 0; length = 0 }
let length t = t.length

(* Multiplication carries every bit of the key upwards, so the topmost bits are the hash (Knuth, The Art of
   Computer Programming 3, 6.4). *)
let[@inline] home t key = (key * 0x1E3779B97F4A7C15) lsr t.shift

(* The mask keeps indices within the array. *)
let[@inline] key_at t i = Array.unsafe_get t.slots (2 * i)

let rec probe t key i =
  let k = key_at t i in
  if k = key then i else if k < 0 then -1 else probe t key ((i + 1) land t.mask)

let slot t key = if t.length = 0 then -1 else probe t key (home t key)
let[@inline] value t i = Array.unsafe_get t.slots ((2 * i) + 1)
let[@inline] set_value t i v = Array.unsafe_set t.slots ((2 * i) + 1) v

let find t key =
  let i = slot t key in
  if i < 0 then -1 else value t i

let warm t key = if t.length > 0 then ignore (Sys.opaque_identity (key_at t (home t key)) : int)
let mem t key = slot t key >= 0
let rec free_slot t i = if key_at t i < 0 then i else free_slot t ((i + 1) land t.mask)

let put t key v =
  let i = free_slot t (home t key) in
  t.slots.(2 * i) <- key;
  t.slots.((2 * i) + 1) <- v

let resize t bits =
  let old = t.slots in
  t.slots <- Array.make (2 lsl bits) (-1);
  t.mask <- (1 lsl bits) - 1;
  t.shift <- 63 - bits;
  for i = 0 to (Array.length old / 2) - 1 do
    if old.(2 * i) >= 0 then put t old.(2 * i) old.((2 * i) + 1)
  done

let capacity_bits t = 63 - t.shift

let replace t key v =
  let i = slot t key in
  if i >= 0 then set_value t i v
  else begin
    if Array.length t.slots = 0 then resize t least_bits
    else if 8 * (t.length + 1) > 5 * (t.mask + 1) then resize t (capacity_bits t + 1);
    put t key v;
    t.length <- t.length + 1
  end

(* Moves the first key that would be found through slot [hole] there, and goes on with the slot that it
   leaves (Knuth, algorithm R). So there are no tombstones. *)
let rec close_gap t hole i =
  let i = (i + 1) land t.mask in
  let key = key_at t i in
  if key < 0 then t.slots.(2 * hole) <- -1
  else if (i - home t key) land t.mask >= (i - hole) land t.mask then begin
    t.slots.(2 * hole) <- key;
    t.slots.((2 * hole) + 1) <- value t i;
    close_gap t i i
  end
  else close_gap t hole i

let remove t key =
  let i = slot t key in
  if i >= 0 then begin
    close_gap t i i;
    t.length <- t.length - 1;
    if 8 * t.length < t.mask && capacity_bits t > least_bits then resize t (capacity_bits t - 1)
  end

let iter f t =
  for i = 0 to t.mask do
    let key = key_at t i in
    if key >= 0 then f key (value t i)
  done

let check t =
  let n = ref 0 in
  iter
    (fun key _ ->
      incr n;
      if slot t key < 0 then failwith (Printf.sprintf "Int_table: key %d is not found" key))
    t;
  if !n <> t.length then failwith (Printf.sprintf "Int_table: %d keys, length %d" !n t.length)
