(* The array's length is a power of two, or 0. *)
type 'a t = { mutable slots : 'a option array; mutable start : int; mutable length : int }

let create () = { slots = [||]; start = 0; length = 0 }
let[@inline] length r = r.length
let[@inline] slot r i = (r.start + i) land (Array.length r.slots - 1)

let[@inline never] grow r =
  let slots = Array.make (max 4 (2 * Array.length r.slots)) None in
  for i = 0 to r.length - 1 do
    slots.(i) <- r.slots.(slot r i)
  done;
  r.slots <- slots;
  r.start <- 0

let[@inline] make_room r = if r.length = Array.length r.slots then grow r

let[@inline] add r x =
  r.slots.(slot r r.length) <- x;
  r.length <- r.length + 1

let add_first r x =
  r.start <- slot r (-1);
  r.slots.(r.start) <- x;
  r.length <- r.length + 1

let[@inline] first r = if r.length = 0 then None else r.slots.(r.start)

(* How many slots are kept for good. *)
let kept = 256

let[@inline] drop r =
  r.slots.(r.start) <- None;
  r.start <- slot r 1;
  r.length <- r.length - 1;
  if r.length = 0 && Array.length r.slots > kept then begin
    r.slots <- [||];
    r.start <- 0
  end
