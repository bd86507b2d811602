(* $MDX part-begin=book *)
(* Row [i] has the elements from [first.(i)] to [first.(i + 1) - 1] of [columns] and [values]. *)
type matrix = { first : int array; columns : int array; values : float array }

let multiply { first; columns; values } x =
  Weft.Array.init
    (Array.length first - 1)
    (fun i ->
      Weft.parallel_for_reduce ~start:first.(i)
        ~finish:(first.(i + 1) - 1)
        ~body:(fun k -> values.(k) *. x.(columns.(k)))
        ( +. ) 0.)
(* $MDX part-end *)

let[@inline] row { first; columns; values } x i =
  let sum = ref 0. in
  for k = first.(i) to first.(i + 1) - 1 do
    sum := !sum +. (values.(k) *. x.(columns.(k)))
  done;
  !sum

(* {1 Sequential} *)

let sequential matrix x =
  let y = Array.create_float (Array.length matrix.first - 1) in
  for i = 0 to Array.length y - 1 do
    y.(i) <- row matrix x i
  done;
  y

(* {1 By hand} *)

let by_hand matrix x =
  let n = Array.length matrix.first - 1 in
  let y = Weft.Array.create_float n in
  let blocks = (n + 4_095) / 4_096 in
  let body b =
    for i = b * n / blocks to ((b + 1) * n / blocks) - 1 do
      y.(i) <- row matrix x i
    done
  in
  Weft.parallel_for ~chunk_size:1 ~start:0 ~finish:(blocks - 1) ~body ();
  y

(* Up to twenty elements in a row. Values are small integers: their sums have the same bits in any order. *)
let input rows =
  let lengths = Inputs.integers ~bound:21 rows in
  let first = Array.make (rows + 1) 0 in
  Array.iteri (fun i length -> first.(i + 1) <- first.(i) + length) lengths;
  let elements = first.(rows) in
  let matrix =
    {
      first;
      columns = Inputs.integers ~bound:(Int.max 1 rows) elements;
      values = Array.map float_of_int (Inputs.integers ~seed:1 ~bound:100 elements);
    }
  in
  (matrix, Array.init rows (fun i -> float_of_int (i mod 17)))

let benchmark =
  let on_pair multiply (matrix, x) = multiply matrix x in
  Textbook.benchmark ~name:"sparse_matrix" ~doc:"a sparse matrix by a vector" ~size_doc:"the number of rows"
    ~size:1_000_000 ~quick:50_000 ~input ~digest:Same_result.floats
    {
      best_sequential = on_pair sequential;
      sequential = on_pair sequential;
      book = on_pair multiply;
      by_hand = on_pair by_hand;
    }
