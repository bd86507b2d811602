let make ?iterate positions get = Source.of_pass (Source.numbered_by ?iterate positions get)
let no_element _ = invalid_arg "Weft.Seq: no element"
let empty = { (make 0 no_element) with known = Some 0 }

let init n f =
  if n < 0 then invalid_arg (Printf.sprintf "Weft.Seq.init: negative length %d" n);
  make n f

let of_range start finish =
  let size = finish - start + 1 in
  if finish < start then empty
  else if size <= 0 then
    invalid_arg (Printf.sprintf "Weft.Seq.of_range: more than max_int integers, %d to %d" start finish)
  else make size (fun i -> start + i)

(* The loops are written out: to read an element of an array is too short for a call. *)

let pass_of_array a =
  let iterate first last push =
    for i = first to last do
      push (Array.unsafe_get a i)
    done
  in
  Source.numbered_by ~iterate (Array.length a) (fun i -> Array.unsafe_get a i)

let of_array a = Source.of_pass (pass_of_array a)
let of_floatarray a = make (Float.Array.length a) (fun i -> Float.Array.unsafe_get a i)

let of_string s =
  let iterate first last push =
    for i = first to last do
      push (String.unsafe_get s i)
    done
  in
  make ~iterate (String.length s) (fun i -> String.unsafe_get s i)

(* The bytes are read when the sequence is used, as those of a string that may change. *)
let of_bytes b = of_string (Bytes.unsafe_to_string b)

let of_bigarray (type a b c) (a : (a, b, c) Bigarray.Array1.t) =
  let rows = Bigarray_rows.rows1 (Bigarray.Array1.kind a) (Bigarray.Array1.layout a) in
  make ~iterate:(fun first last push -> rows.iter a push 0 first last) (Bigarray.Array1.dim a) (rows.get a 0)
