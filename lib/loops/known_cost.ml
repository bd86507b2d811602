type t = {
  mutable code : int;
  mutable block : int; (* so many iterations are short; 0: not known *)
  mutable pause : int; (* loops to come that teach nothing *)
  mutable pauses : int;
  mutable too_long : int; (* so many iterations, and more, were not worth running in turn *)
}

let none = 0
let size = 1024
let table = Array.init size (fun _ -> { code = none; block = 0; pause = 0; pauses = 0; too_long = max_int })

(* The code of functions begins at multiples of 16 bytes. *)
let[@inline] of_code code = Array.unsafe_get table ((code lsr 3) lxor (code lsr 13) land (size - 1))
let[@inline] is_short k (code : int) (d : int) = k.code = code && d < k.block

(* Blocks may have been much smaller than they could be: those of a short loop are parts of it. What was too
   long is forgotten little by little. *)
let may_be_short k (code : int) d =
  k.code = code
  && Int.max 1 (d / 64) < k.block
  && begin
       let shorter = d < k.too_long in
       if not shorter then k.too_long <- k.too_long + (k.too_long / 64) + 1;
       shorter
     end

let was_long k (code : int) d = if k.code = code then k.too_long <- d / 2

let take_over k code =
  k.block <- 0;
  k.pause <- 0;
  k.pauses <- 0;
  k.too_long <- max_int;
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

let found k code n = if n > 0 then learn k code n else distrust k code
