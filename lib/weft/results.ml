let make n x = First_touch.make ~who:"Weft.Array.make" n x

(* Above this length, the time of one element is nothing against that of all, for any number of domains; up to
   it, an array made in vain costs little. *)
let short = 4096

let race ~who ~length one rest =
  let shared = Atomic.make [||] in
  let array_of x =
    let was = Atomic.get shared in
    if Array.length was > 0 then was
    else
      let mine = make length x in
      if Atomic.compare_and_set shared was mine then mine else Atomic.get shared
  in
  Loop.blocks ~who ~start:0 ~finish:(length - 1) (fun first last ->
      let x = one first in
      let r = array_of x in
      Array.unsafe_set r first x;
      rest r (first + 1) last);
  Atomic.get shared

let by_blocks ~who ~length one rest =
  if length = 0 then [||]
  else if length <= short then race ~who ~length one rest
  else
    Current_worker.in_pool @@ fun () ->
    let r = make length (one 0) in
    Loop.blocks ~who ~start:1 ~finish:(length - 1) (fun first last -> rest r first last);
    r
