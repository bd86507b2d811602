(* Within this module, [Bigarray] is OCaml's; its arrays are called [Bigarray.Array1.t] and so on. *)

module Rows = Bigarray_rows

(* A bigarray of any number of dimensions: [count] rows of [width] elements. *)
type ('array, 'element, 'make, 'see) shape = {
  who : string;
  count : int;
  width : int;
  rows : ('array, 'element, 'make, 'see) Rows.t;
}

let size s = s.count * s.width

(* Calls [body row first last] for the parts of rows that make up the elements from [first] to [last],
   numbered through all rows. *)
let in_rows s body first last =
  let rec from row x left =
    let last = min (s.width - 1) (x + left - 1) in
    body row x last;
    let left = left - (last - x + 1) in
    if left > 0 then from (row + 1) 0 left
  in
  from (first / s.width) (first mod s.width) (last - first + 1)

let over s name body =
  Loop.blocks ~who:(s.who ^ name) ~start:0 ~finish:(size s - 1) (fun first last -> in_rows s body first last)

let init s f a = over s "init" (s.rows.init a f)
let fill s a v = over s "fill" (s.rows.fill a v)
let copy s a b = over s "blit" (s.rows.copy a b)
let map s f a b = over s "map" (s.rows.map a b f)
let map_inplace s f a = over s "map_inplace" (s.rows.map a a f)
let iter s f a = over s "iter" (s.rows.iter a f)
let iteri s f a = over s "iteri" (s.rows.iteri a f)

let fold_elements s f init a first last =
  let acc = ref init in
  in_rows s (fun row x last -> acc := s.rows.fold a f !acc row x last) first last;
  !acc

let tree s name combine fold = Reduce.reduce ~who:(s.who ^ name) ~start:0 ~finish:(size s - 1) ~fold combine

let reduce s combine init a =
  if size s = 0 then init
  else
    let fold first last =
      let x = s.rows.get a (first / s.width) (first mod s.width) in
      if first = last then x else fold_elements s combine x a (first + 1) last
    in
    combine init (tree s "reduce" combine fold)

let fold s ~combine f init a =
  if size s = 0 then init else tree s "fold" combine (fun first last -> fold_elements s f init a first last)

let check_dimension who n = if n < 0 then invalid_arg (Printf.sprintf "%sinit: negative dimension %d" who n)

let different who sizes_a sizes_b =
  let show sizes = String.concat "x" (List.map string_of_int sizes) in
  invalid_arg (Printf.sprintf "%sblit: dimensions %s and %s" who (show sizes_a) (show sizes_b))

(* In the order of memory: the dimension whose index varies fastest comes last. *)
let in_memory_order (type c) (layout : c Bigarray.layout) dimensions =
  match layout with C_layout -> dimensions | Fortran_layout -> List.rev dimensions

module Array1 = struct
  open Bigarray

  type ('a, 'b, 'c) t = ('a, 'b, 'c) Array1.t

  let who = "Weft.Bigarray.Array1."
  let shape a = { who; count = 1; width = Array1.dim a; rows = Rows.rows1 (Array1.kind a) (Array1.layout a) }
  let same_size a = Array1.create (Array1.kind a) (Array1.layout a) (Array1.dim a)

  let init kind layout n f =
    check_dimension who n;
    let a = Array1.create kind layout n in
    init (shape a) f a;
    a

  let fill a v = fill (shape a) a v

  let blit a b =
    if Array1.dim a <> Array1.dim b then different who [ Array1.dim a ] [ Array1.dim b ];
    if a != b then copy (shape a) a b

  let map f a =
    let b = same_size a in
    map (shape a) f a b;
    b

  let map_inplace f a = map_inplace (shape a) f a
  let iter f a = iter (shape a) f a
  let iteri f a = iteri (shape a) f a
  let reduce combine init a = reduce (shape a) combine init a
  let fold ~combine f init a = fold (shape a) ~combine f init a
  let sum a = Bigarray_floats.sum (who ^ "sum") a
  let dot a b = Bigarray_floats.dot (who ^ "dot") a b
  let min a = Bigarray_floats.min (who ^ "min") a
  let max a = Bigarray_floats.max (who ^ "max") a
end

module Array2 = struct
  open Bigarray

  type ('a, 'b, 'c) t = ('a, 'b, 'c) Array2.t

  let who = "Weft.Bigarray.Array2."
  let sizes a = [ Array2.dim1 a; Array2.dim2 a ]

  let shape a =
    let rows = Rows.rows2 (Array2.kind a) (Array2.layout a) in
    match in_memory_order (Array2.layout a) (sizes a) with
    | [ count; width ] -> { who; count; width; rows }
    | _ -> assert false

  let same_size a = Array2.create (Array2.kind a) (Array2.layout a) (Array2.dim1 a) (Array2.dim2 a)

  let init kind layout m n f =
    check_dimension who m;
    check_dimension who n;
    let a = Array2.create kind layout m n in
    init (shape a) f a;
    a

  let fill a v = fill (shape a) a v

  let blit a b =
    if sizes a <> sizes b then different who (sizes a) (sizes b);
    if a != b then copy (shape a) a b

  let map f a =
    let b = same_size a in
    map (shape a) f a b;
    b

  let map_inplace f a = map_inplace (shape a) f a
  let iter f a = iter (shape a) f a
  let iteri f a = iteri (shape a) f a
  let reduce combine init a = reduce (shape a) combine init a
  let fold ~combine f init a = fold (shape a) ~combine f init a
end

module Array3 = struct
  open Bigarray

  type ('a, 'b, 'c) t = ('a, 'b, 'c) Array3.t

  let who = "Weft.Bigarray.Array3."
  let sizes a = [ Array3.dim1 a; Array3.dim2 a; Array3.dim3 a ]

  let shape a =
    let rows = Rows.rows3 (Array3.kind a) (Array3.layout a) in
    match in_memory_order (Array3.layout a) (sizes a) with
    | [ outer; middle; width ] -> { who; count = outer * middle; width; rows }
    | _ -> assert false

  let same_size a =
    Array3.create (Array3.kind a) (Array3.layout a) (Array3.dim1 a) (Array3.dim2 a) (Array3.dim3 a)

  let init kind layout l m n f =
    List.iter (check_dimension who) [ l; m; n ];
    let a = Array3.create kind layout l m n in
    init (shape a) f a;
    a

  let fill a v = fill (shape a) a v

  let blit a b =
    if sizes a <> sizes b then different who (sizes a) (sizes b);
    if a != b then copy (shape a) a b

  let map f a =
    let b = same_size a in
    map (shape a) f a b;
    b

  let map_inplace f a = map_inplace (shape a) f a
  let iter f a = iter (shape a) f a
  let iteri f a = iteri (shape a) f a
  let reduce combine init a = reduce (shape a) combine init a
  let fold ~combine f init a = fold (shape a) ~combine f init a
end
