(* A block has whole pages. *)
let block = 4096

(* With fewer words, [Array.make] is as fast. *)
let worthwhile = 1 lsl 16

let make n x =
  Current_worker.poll_anywhere ();
  match if n < worthwhile then None else Weft_platform.Array_repr.uninitialised_like x n with
  | None -> Stdlib.Array.make n x
  | Some a ->
      let fill first last = Stdlib.Array.fill a first (last - first + 1) x in
      Loop.blocks ~who:"Weft.Array.make" ~start:0
        ~finish:((n - 1) / block)
        (fun i j -> fill (i * block) (min n ((j + 1) * block) - 1));
      a

(* [Array.make n x] would begin a minor collection, of all domains, if [x] is a young block and [n > 256]. *)
let to_write x n =
  match Weft_platform.Array_repr.uninitialised_like x n with
  | Some a -> a
  | None -> Weft_platform.Array_repr.blank n

let like a n = Weft_platform.Array_repr.same_kind a n
let[@inline] set_first a i x = Weft_platform.Array_repr.set_first a i x

(* In longer arrays, one element takes next to no time compared with all, for any number of domains. In
   shorter ones, an array made in vain costs little. *)
let short = 4096

let race ?(start = 0) ~code ~length one rest =
  let shared = Atomic.make [||] in
  let array_of x =
    let was = Atomic.get shared in
    if Array.length was > 0 then was
    else
      let mine = to_write x length in
      if Atomic.compare_and_set shared was mine then mine else Atomic.get shared
  in
  Short_loop.by_blocks ~code ~start ~finish:(length - 1) (fun first last ->
      let x = one first in
      let r = array_of x in
      Array.unsafe_set r first x;
      rest r (first + 1) last);
  Atomic.get shared

let by_blocks ?(code = Known_cost.none) ~who ~length one rest =
  if length = 0 then [||]
  else if length <= short then race ~code ~length one rest
  else
    Current_worker.in_pool @@ fun () ->
    (* If the first element waits, the others do not wait for it. *)
    match Promotion.both (fun () -> one 0) (fun () -> race ~start:1 ~code ~length one rest) with
    | x, Some r ->
        Array.unsafe_set r 0 x;
        r
    | x, None ->
        let r = to_write x length in
        Array.unsafe_set r 0 x;
        Loop.blocks ~who ~start:1 ~finish:(length - 1) (fun first last -> rest r first last);
        r
