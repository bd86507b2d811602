open Bigarray

type ('a, 'k) buffer = ('a, 'k, c_layout) Array1.t
type ('a, 'k) pool = { kind : ('a, 'k) kind; classes : ('a, 'k) buffer list Atomic.t array }

(* Class [c] has buffers of [2^c] elements. Larger ones than the last (half a MiB of floats) are not kept, and
   of each class only some: all that are kept have less than 16 MiB. *)
let smallest = 6
let largest = 16
let kept = 8
let pool kind = { kind; classes = Array.init (largest + 1) (fun _ -> Atomic.make []) }
let chars = pool char
let floats = pool float64

let bytes_of pool =
  let bytes_of_class place =
    List.fold_left (fun sum b -> sum + Array1.size_in_bytes b) 0 (Atomic.get place)
  in
  Array.fold_left (fun sum place -> sum + bytes_of_class place) 0 pool.classes

let bytes () = bytes_of chars + bytes_of floats
let rec class_of n c = if n <= 1 lsl c then c else class_of n (c + 1)

let rec take place =
  match Atomic.get place with
  | [] -> None
  | b :: others as before -> if Atomic.compare_and_set place before others then Some b else take place

let rec give place b =
  let before = Atomic.get place in
  if List.length before < kept && not (Atomic.compare_and_set place before (b :: before)) then give place b

let using pool n f =
  if n > 1 lsl largest then f (Array1.create pool.kind c_layout n)
  else begin
    let c = class_of n smallest in
    let place = pool.classes.(c) in
    let b = match take place with Some b -> b | None -> Array1.create pool.kind c_layout (1 lsl c) in
    let v = f b in
    give place b;
    v
  end
