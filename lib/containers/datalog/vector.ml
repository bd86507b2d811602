type t = { mutable elements : int array; mutable length : int }

let create () = { elements = [||]; length = 0 }
let length t = t.length
let get t i = if i < t.length then t.elements.(i) else invalid_arg "Weft_datalog.Vector.get"

let reserve t n =
  if n > Array.length t.elements then begin
    let larger = Array.make (Int.max n (Int.max 8 (2 * t.length))) 0 in
    Array.blit t.elements 0 larger 0 t.length;
    t.elements <- larger
  end

let push t x =
  if t.length = Array.length t.elements then reserve t (t.length + 1);
  t.elements.(t.length) <- x;
  t.length <- t.length + 1

let clear t = t.length <- 0
let elements t = t.elements
