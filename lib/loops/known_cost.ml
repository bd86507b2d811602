type t = {
  mutable code : int;
  mutable block : int; (* so many iterations are short; 0: not known *)
  mutable pause : int; (* loops to come that teach nothing *)
  mutable pauses : int;
}

let none = 0
let size = 1024
let table = Array.init size (fun _ -> { code = none; block = 0; pause = 0; pauses = 0 })

(* The code of functions begins at multiples of 16 bytes. *)
let[@inline] of_code code = Array.unsafe_get table ((code lsr 3) lxor (code lsr 13) land (size - 1))
let[@inline] is_short k (code : int) (d : int) = k.code = code && d < k.block

let take_over k code =
  k.block <- 0;
  k.pause <- 0;
  k.pauses <- 0;
  k.code <- code

let learn k (code : int) n =
  if code <> none && not (Closure.is_shared code) then begin
    if k.code <> code then take_over k code;
    if k.pause > 0 then k.pause <- k.pause - 1 else if k.block <> n then k.block <- n
  end

let longest_pause = 1024

let distrust k (code : int) =
  if code <> none then begin
    if k.code <> code then take_over k code;
    k.block <- 0;
    k.pauses <- Int.min longest_pause (Int.max 16 (2 * k.pauses));
    k.pause <- k.pauses
  end
