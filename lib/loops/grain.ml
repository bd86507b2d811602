let[@inline] max (a : int) b = if a > b then a else b
let[@inline] min (a : int) b = if a < b then a else b
let parts_per_worker = 32
let leaf n ~workers = max 1 (n / (parts_per_worker * workers))
let long = 4096
let worth_sharing = 4 * long
let largest = 1 lsl 40

(* The block never grows to where it should take more than a quarter of [long], or a sixteenth if reading
   the clock took most of the time. *)
let adapt b ~ticks =
  if ticks > long * 2 then max 1 (if ticks > long * 4 then b / 4 else b / 2)
  else if b >= largest then b
  else if ticks < long / 64 then b * 16
  else if ticks < long / 8 then b * 4
  else if ticks < long / 2 then b * 2
  else b

(* At least 32 leaves, as long as there are elements for them, and at most 64 elements a leaf. Then the
   tree costs little compared with the calls of the combining function; the elements of a leaf spread too if
   they take long. *)
let leaves_of_tree n = max 1 (min 64 (n / 32))

(* A node costs some ten nanoseconds, as much as twenty of the cheapest elements. *)
let blocks_of_tree n = max 64 (min 2048 ((n / 32) + 1))

(* Many more blocks than workers, and a block fits into a first-level cache. But at most a million
   blocks: their sums need memory, which the elements of a sequence do not. *)
let scan_block n = max (n / 0x10_0000) (max 1 (min 2048 (n / 64)))

let check_chunk_size who = function
  | Some n when n < 1 -> invalid_arg (Printf.sprintf "%s: chunk_size must be at least 1, not %d" who n)
  | _ -> ()
