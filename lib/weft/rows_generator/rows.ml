(* Prints bigarray_rows.ml: the same eight loops for every number of dimensions, layout and kind. The compiler
   accesses a bigarray directly only if the types say all three, and neither functors nor inlining make them
   known later. *)

type kind = { constructor : string; element : string; representation : string }

let kind constructor element representation = { constructor; element; representation }

(* Those that are not listed, [Float16], use the generic functions of the OCaml runtime. *)
let kinds =
  [
    kind "Float32" "float" "float32_elt";
    kind "Float64" "float" "float64_elt";
    kind "Complex32" "Complex.t" "complex32_elt";
    kind "Complex64" "Complex.t" "complex64_elt";
    kind "Int8_signed" "int" "int8_signed_elt";
    kind "Int8_unsigned" "int" "int8_unsigned_elt";
    kind "Char" "char" "int8_unsigned_elt";
    kind "Int16_signed" "int" "int16_signed_elt";
    kind "Int16_unsigned" "int" "int16_unsigned_elt";
    kind "Int" "int" "int_elt";
    kind "Int32" "int32" "int32_elt";
    kind "Int64" "int64" "int64_elt";
    kind "Nativeint" "nativeint" "nativeint_elt";
  ]

let any = { constructor = "_"; element = "'a"; representation = "'b" }

type layout = C | Fortran

let layouts = [ C; Fortran ]
let layout_type = function C -> "c_layout" | Fortran -> "fortran_layout"
let layout_constructor = function C -> "C_layout" | Fortran -> "Fortran_layout"

(* Rows and places in a row are counted from 0. The elements of a row lie next to each other in memory. *)

let row_indices dimensions layout =
  let base = match layout with C -> "" | Fortran -> " + 1" in
  match dimensions with
  | 1 -> "ignore (row : int);"
  | 2 -> Printf.sprintf "let o = row%s in" base
  | _ ->
      let middle = "Array3.dim2 a" in
      Printf.sprintf "let o = row / %s%s and p = row mod %s%s in" middle base middle base

let indices dimensions layout =
  match (dimensions, layout) with
  | 1, C -> "x"
  | 1, Fortran -> "(x + 1)"
  | 2, C -> "o x"
  | 2, Fortran -> "(x + 1) o"
  | _, C -> "o p x"
  | _, Fortran -> "(x + 1) p o"

let template =
  {|
let @NAME = (
  let get (a : @ARRAY) row x = @ROW @GET a @AT in
  let fill (a : @ARRAY) v row first last = @ROW
    for x = first to last do @SET a @AT v done in
  let copy (a : @ARRAY) (b : @ARRAY) row first last = @ROW
    for x = first to last do @SET b @AT (@GET a @AT) done in
  let init (a : @ARRAY) f row first last = @ROW
    for x = first to last do @SET a @AT (f @AT) done in
  let map (a : @ARRAY) (b : @ARRAY) f row first last = @ROW
    for x = first to last do @SET b @AT (f (@GET a @AT)) done in
  let iter (a : @ARRAY) f row first last = @ROW
    for x = first to last do f (@GET a @AT) done in
  let iteri (a : @ARRAY) f row first last = @ROW
    for x = first to last do f @AT (@GET a @AT) done in
  let fold (a : @ARRAY) f init row first last = @ROW
    let acc = ref init in
    for x = first to last do acc := f !acc (@GET a @AT) done;
    !acc in
  { get; fill; copy; init; map; iter; iteri; fold })
|}

let replace_all substitutions text =
  let part i s =
    if i = 0 then s
    else
      let key, value = List.find (fun (key, _) -> String.starts_with ~prefix:key s) substitutions in
      value ^ String.sub s (String.length key) (String.length s - String.length key)
  in
  String.concat "" (List.mapi part (String.split_on_char '@' text))

let name dimensions layout k =
  let kind = if k == any then "any" else String.lowercase_ascii k.constructor in
  Printf.sprintf "%s_%s_%d" kind (layout_type layout) dimensions

let print_loops dimensions layout k =
  let access what = Printf.sprintf "Array%d.unsafe_%s" dimensions what in
  let array =
    Printf.sprintf "(%s, %s, %s) Array%d.t" k.element k.representation (layout_type layout) dimensions
  in
  print_string
    (replace_all
       [
         ("NAME", name dimensions layout k);
         ("ARRAY", array);
         ("ROW", row_indices dimensions layout);
         ("GET", access "get");
         ("SET", access "set");
         ("AT", indices dimensions layout);
       ]
       template)

let print_choice dimensions =
  let arrow = String.concat " -> " (List.init dimensions (fun _ -> "int")) in
  Printf.printf
    "\n\
     let rows%d : type a b c. (a, b) kind -> c layout -> ((a, b, c) Array%d.t, a, %s -> a, %s -> a -> unit) \
     t =\n\
    \  fun kind layout -> match layout, kind with\n"
    dimensions dimensions arrow arrow;
  List.iter
    (fun layout ->
      List.iter
        (fun k ->
          Printf.printf "  | %s, %s -> %s\n" (layout_constructor layout) k.constructor
            (name dimensions layout k))
        (kinds @ [ any ]))
    layouts

let () =
  print_string
    {|open Bigarray

type ('array, 'element, 'make, 'see) t = {
  get : 'array -> int -> int -> 'element;
  fill : 'array -> 'element -> int -> int -> int -> unit;
  copy : 'array -> 'array -> int -> int -> int -> unit;
  init : 'array -> 'make -> int -> int -> int -> unit;
  map : 'array -> 'array -> ('element -> 'element) -> int -> int -> int -> unit;
  iter : 'array -> ('element -> unit) -> int -> int -> int -> unit;
  iteri : 'array -> 'see -> int -> int -> int -> unit;
  fold : 'acc. 'array -> ('acc -> 'element -> 'acc) -> 'acc -> int -> int -> int -> 'acc;
}
|};
  List.iter
    (fun dimensions ->
      List.iter (fun layout -> List.iter (print_loops dimensions layout) (kinds @ [ any ])) layouts;
      print_choice dimensions)
    [ 1; 2; 3 ]
