let widest = 48
let most_columns = 6

(* What lies near to a choice, and the end. *)
let around = 2
let last = 16
let ascii = String.map (fun c -> if c >= ' ' && c <= '~' then c else '?')

let shown (p : Record.point) =
  let what =
    if String.starts_with ~prefix:"Weft." p.what then String.sub p.what 5 (String.length p.what - 5)
    else p.what
  in
  let text = ascii (if p.site = "-" then what else what ^ " " ^ p.site) in
  let text = if Record.is_choice p then text ^ " -> " ^ p.takes else text in
  if String.length text > widest then String.sub text 0 widest else text

let kept points =
  let points = Array.of_list points in
  let n = Array.length points in
  let is_near i =
    let near = ref false in
    for j = max 0 (i - around) to min (n - 1) (i + around) do
      if Record.is_choice points.(j) then near := true
    done;
    !near
  in
  List.filter (fun i -> i >= n - last || is_near i) (List.init n Fun.id)
  |> List.map (fun i -> (i, points.(i)))

let fibers rows =
  List.fold_left
    (fun seen (_, (p : Record.point)) -> if List.mem p.fiber seen then seen else seen @ [ p.fiber ])
    [] rows

let in_columns names rows =
  let width name =
    List.fold_left
      (fun w (_, (p : Record.point)) -> if p.fiber = name then max w (String.length (shown p)) else w)
      (String.length name + 6)
      rows
  in
  let columns = List.map (fun name -> (name, width name)) names in
  let pad text width = text ^ String.make (max 0 (width - String.length text)) ' ' in
  let trim text =
    let n = ref (String.length text) in
    while !n > 0 && text.[!n - 1] = ' ' do
      decr n
    done;
    String.sub text 0 !n
  in
  let line number cells = trim (Printf.sprintf "  %5s  %s" number (String.concat "  " cells)) in
  let head = line "" (List.map (fun (name, w) -> pad ("fiber " ^ name) w) columns) in
  let row (i, (p : Record.point)) =
    line
      (string_of_int (i + 1))
      (List.map (fun (name, w) -> pad (if name = p.fiber then shown p else "") w) columns)
  in
  (head, row)

let in_lines rows =
  let width = List.fold_left (fun w (_, (p : Record.point)) -> max w (String.length p.fiber)) 5 rows in
  ( Printf.sprintf "         %-*s" width "fiber",
    fun (i, (p : Record.point)) -> Printf.sprintf "  %5d  %-*s  %s" (i + 1) width p.fiber (shown p) )

let text (r : Record.t) =
  let rows = kept r.points in
  let names = fibers rows in
  let head, row = if List.length names <= most_columns then in_columns names rows else in_lines rows in
  let add (before, lines) ((i, _) as r) =
    (i, row r :: (if i > before + 1 then "         ..." :: lines else lines))
  in
  let _, lines = List.fold_left add (-1, []) rows in
  String.concat "\n" (head :: List.rev lines) ^ "\n"
