(* Rows in parallel; those that are long, each in parallel, too. *)
let rows who n columns row =
  Bounds.length who n;
  Bounds.length who columns;
  Results.by_blocks ~who ~length:n row (fun r first last ->
      for i = first to last do
        Results.set_first r i (row i)
      done)

let make n columns x =
  let who = "Weft.Array.make_matrix" in
  rows who n columns (fun _ -> Results.make columns x)

let init n columns f =
  let who = "Weft.Array.init_matrix" in
  rows who n columns (fun i ->
      Results.by_blocks ~who ~length:columns
        (fun j -> f i j)
        (fun r first last ->
          for j = first to last do
            Results.set_first r j (f i j)
          done))

let floats who n f =
  let r = Float.Array.create n in
  Loop.blocks ~who ~start:0 ~finish:(n - 1) (fun first last ->
      for i = first to last do
        Float.Array.unsafe_set r i (f i)
      done);
  r

let make_floats n columns x =
  let who = "Weft.Floatarray.make_matrix" in
  rows who n columns (fun _ ->
      let r = Float.Array.create columns in
      Floatarray_copy.fill_range who r 0 columns x;
      r)

let init_floats n columns f =
  let who = "Weft.Floatarray.init_matrix" in
  rows who n columns (fun i -> floats who columns (fun j -> f i j))
