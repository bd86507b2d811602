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

type 'a shared = { length : int; array : 'a array Atomic.t; making : Fiber_mutex.t option (* of long ones *) }

let shared length =
  {
    length;
    array = Atomic.make [||];
    making = (if length <= short then None else Some (Fiber_mutex.create ()));
  }

let[@inline never] made s x =
  let make () =
    let was = Atomic.get s.array in
    if Array.length was > 0 then was
    else
      let mine = to_write x s.length in
      if Atomic.compare_and_set s.array was mine then mine else Atomic.get s.array
  in
  match s.making with None -> make () | Some m -> Fiber_mutex.protect m make

let[@inline] array_of s x = match Atomic.get s.array with [||] -> made s x | a -> a
let array s = Atomic.get s.array

let race ?(start = 0) ~code s one rest =
  Short_loop.by_blocks ~code ~start ~finish:(s.length - 1) (fun first last ->
      let x = one first in
      let r = array_of s x in
      Array.unsafe_set r first x;
      rest r (first + 1) last)

let by_blocks ?(code = Known_cost.none) ~who ~length one rest =
  if length = 0 then begin
    Current_worker.poll_anywhere ();
    [||]
  end
  else begin
    let s = shared length in
    if length <= short then race ~code s one rest
    else
      Current_worker.in_pool (fun () ->
          let the_first () =
            let x = one 0 in
            Array.unsafe_set (array_of s x) 0 x
          in
          (* If the first element waits, the others do not wait for it. Where work and span are measured, that
             takes a loop. *)
          if Current_worker.is_profiled () then race ~code s one rest
          else
            match Promotion.both the_first (fun () -> race ~start:1 ~code s one rest) with
            | (), Some () -> ()
            | (), None ->
                let r = array s in
                Loop.blocks ~who ~start:1 ~finish:(length - 1) (fun first last -> rest r first last));
    array s
  end
