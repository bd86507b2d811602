(* Field 0 of a closure, also of one among several that are defined together, is the address of its code; if
   it has several arguments, that of a function that gathers them, and its code is in field 2. The number of
   arguments lies in the top eight bits of field 1 (caml/mlvalues.h: Closinfo_val; none in bytecode). All are
   read as integers, and the shift makes the address one: the collector never sees it as a value. *)
external words : ('a -> 'b) -> int array = "%identity"

let[@inline] code f =
  let w = words f in
  let arity = Array.unsafe_get w 1 asr 55 in
  (if arity lsr 1 = 0 then Array.unsafe_get w 0 else Array.unsafe_get w 2) lsr 1

let shared =
  let of_two _ _ = () and of_three _ _ _ = () and of_four _ _ _ _ = () and of_five _ _ _ _ _ = () in
  let applied f = Sys.opaque_identity f in
  [|
    code (applied of_two ());
    code (applied of_three () ());
    code (applied of_four () () ());
    code (applied of_five () () () ());
  |]

let is_shared (n : int) = Array.exists (fun shared -> shared = n) shared

external origin : unit -> (int[@untagged]) = "weft_code_origin_boxed" "weft_code_origin" [@@noalloc]

let origin = origin ()
let is_native = match Sys.backend_type with Native -> true | Bytecode | Other _ -> false
let place_of_code code = if code = 0 || not is_native then 0 else code - origin
let place f = place_of_code (code f)
