(* Whole pages. *)
let block = 4096

(* Below this many words [Array.make] is as good. *)
let worthwhile = 1 lsl 16

let by_blocks ~who n fill =
  Loop.blocks ~who ~start:0
    ~finish:((n - 1) / block)
    (fun i j -> fill (i * block) (min n ((j + 1) * block) - 1))

let make ~who n x =
  if n < 0 || n > Sys.max_array_length then invalid_arg (Printf.sprintf "%s: no array has length %d" who n);
  if n < worthwhile then Array.make n x
  else
    match Array_repr.uninitialised_like x n with
    | None -> Array.make n x
    | Some a ->
        by_blocks ~who n (fun first last -> Array.fill a first (last - first + 1) x);
        a
