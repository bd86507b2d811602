(* Cell after cell, 0 for an empty one. Boards do not change once they are made: the branches of the search
   share them. *)
type t = int array

let row cell = cell / 9
let column cell = cell mod 9
let box cell = (row cell / 3 * 3) + (column cell / 3)

(* The cells that must differ from a cell. *)
let peers =
  let all = List.init 81 Fun.id in
  let are_peers a b = a <> b && (row a = row b || column a = column b || box a = box b) in
  Array.init 81 (fun cell -> Array.of_list (List.filter (are_peers cell) all))

(** {1 The search} *)

let candidates t cell =
  let is_free digit = Array.for_all (fun peer -> t.(peer) <> digit) peers.(cell) in
  List.filter is_free [ 1; 2; 3; 4; 5; 6; 7; 8; 9 ]

(* The empty cell with the fewest candidates: so there are few branches, and conflicts show early. *)
let narrowest t =
  let narrower best cell =
    if t.(cell) <> 0 then best
    else
      let here = candidates t cell in
      match best with
      | Some (_, others) when List.compare_lengths others here <= 0 -> best
      | _ -> Some (cell, here)
  in
  List.fold_left narrower None (List.init 81 Fun.id)

let fill t cell digit =
  let filled = Array.copy t in
  filled.(cell) <- digit;
  filled

let rec solve t =
  match narrowest t with
  | None -> Some t
  | Some (cell, digits) ->
      let digits = Array.of_list digits in
      (* When a search has its answer, it cancels its other branches, with the searches inside them. *)
      Weft.parallel_find ~start:0
        ~finish:(Array.length digits - 1)
        ~body:(fun i -> solve (fill t cell digits.(i)))
        ()

(** {1 Text} *)

(* A digit that occurs twice in a row, a column or a box. *)
let clash t =
  let shared cell peer =
    if row cell = row peer then Printf.sprintf "row %d" (row cell + 1)
    else if column cell = column peer then Printf.sprintf "column %d" (column cell + 1)
    else Printf.sprintf "box %d" (box cell + 1)
  in
  let clash_of cell =
    Array.find_opt (fun peer -> t.(cell) <> 0 && t.(peer) = t.(cell)) peers.(cell)
    |> Option.map (fun peer -> Printf.sprintf "%s has two cells with %d" (shared cell peer) t.(cell))
  in
  List.find_map clash_of (List.init 81 Fun.id)

exception Wrong of string

let cells text =
  let line = ref 1 and line_start = ref 0 and cells = ref [] in
  String.iteri
    (fun i -> function
      | '1' .. '9' as digit -> cells := (Char.code digit - Char.code '0') :: !cells
      | '.' | '0' -> cells := 0 :: !cells
      | '\n' ->
          incr line;
          line_start := i + 1
      | ' ' | '\t' | '\r' | '|' | '-' | '+' -> ()
      | other ->
          raise
            (Wrong
               (Printf.sprintf "line %d, column %d: %C is neither a digit nor a dot" !line
                  (i - !line_start + 1)
                  other)))
    text;
  Array.of_list (List.rev !cells)

let of_string text =
  match cells text with
  | exception Wrong why -> Error why
  | t when Array.length t <> 81 ->
      Error
        (Printf.sprintf "81 cells are needed, but there are %d; write empty ones as dots" (Array.length t))
  | t -> ( match clash t with Some why -> Error why | None -> Ok t)

let to_string t =
  let character cell = if t.(cell) = 0 then "." else string_of_int t.(cell) in
  let line row =
    let three column = String.concat " " (List.init 3 (fun i -> character ((9 * row) + column + i))) in
    String.concat " | " (List.map three [ 0; 3; 6 ]) ^ "\n"
  in
  let lines row = String.concat "" (List.init 3 (fun i -> line (row + i))) in
  String.concat "------+-------+------\n" (List.map lines [ 0; 3; 6 ])
