(* In how many ways n queens stand on a board of n x n, none attacking another. Two branches may run at the same time, so they must not
   share an array: each has its own copy, made before the fork. *)
let rec ways board row =
  let n = Array.length board in
  if row = n then 1 else from board row 0

(* With the queen of this row in this column, or in a later one. *)
and from board row column =
  let n = Array.length board in
  let rec is_free r =
    r = row || (board.(r) <> column && abs (board.(r) - column) <> row - r && is_free (r + 1))
  in
  if column = n then 0
  else if not (is_free 0) then from board row (column + 1)
  else begin
    let mine = Array.copy board in
    mine.(row) <- column;
    let here, later = Weft.par (fun () -> ways mine (row + 1)) (fun () -> from board row (column + 1)) in
    here + later
  end

let () =
  let n = if Array.length Sys.argv > 1 then int_of_string Sys.argv.(1) else 8 in
  Printf.printf "%d queens: %d ways\n" n (ways (Array.make n 0) 0)
