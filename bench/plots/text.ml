let clean = Weft_files.Foreign_text.line
let html = Weft_files.Foreign_text.markup
let replaced = Weft_files.Foreign_text.replaced

(* {1 gnuplot}

   Between single quotes, gnuplot expands neither escapes nor macros nor commands in backquotes; a quote is
   doubled. *)

let quoted text = "'" ^ replaced (function '\'' -> Some "''" | _ -> None) text ^ "'"
let gnuplot text = quoted (clean text)
let gnuplot_tic text = quoted (replaced (function '%' -> Some "%%" | _ -> None) (clean text))

(* {1 Names of files} *)

let is_plain = function 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '-' | '_' | '.' -> true | _ -> false

let shell text =
  let text = clean text in
  let fits c = is_plain c || List.mem c [ '/'; ','; '='; ':'; '+' ] in
  if text <> "" && String.for_all fits text then text
  else "'" ^ replaced (function '\'' -> Some {|'\''|} | _ -> None) text ^ "'"

let longest = 80

let file_name text =
  let dash_for c = if is_plain c then c else '-' in
  let text = String.map dash_for text in
  let text = String.sub text 0 (min longest (String.length text)) in
  let text = String.concat "-" (List.filter (( <> ) "") (String.split_on_char '-' text)) in
  (* So the name is no hidden file and no option of a program, and has no dots in a row. *)
  let words = List.filter (( <> ) "") (String.split_on_char '.' text) in
  let text = String.concat "." words in
  let rec from i = if i < String.length text && (text.[i] = '-' || text.[i] = '.') then from (i + 1) else i in
  let first = from 0 in
  match String.sub text first (String.length text - first) with "" -> "figure" | text -> text

let distinct names =
  let seen = Hashtbl.create 16 in
  let is_new name =
    let key = String.lowercase_ascii name in
    if Hashtbl.mem seen key then false
    else (
      Hashtbl.add seen key ();
      true)
  in
  let rec numbered name i =
    let candidate = Printf.sprintf "%s-%d" name i in
    if is_new candidate then candidate else numbered name (i + 1)
  in
  List.map (fun name -> if is_new name then name else numbered name 2) names

(* {1 Numbers} *)

let rec grouped n =
  if n < 1000 then string_of_int n else Printf.sprintf "%s,%03d" (grouped (n / 1000)) (n mod 1000)

let float x =
  let a = Float.abs x in
  if not (Float.is_finite x) then "-"
  else if x = 0. then "0"
  else if a >= 1e15 then Printf.sprintf "%.3g" x
  else if a >= 999.5 then
    let n = grouped (int_of_float (Float.round a)) in
    if x < 0. then "-" ^ n else n
  else if a >= 99.95 then Printf.sprintf "%.0f" x
  else if a >= 9.995 then Printf.sprintf "%.1f" x
  else if a >= 0.0995 then Printf.sprintf "%.2f" x
  else Printf.sprintf "%.2g" x

let short x =
  let a = Float.abs x in
  if a < 9999.5 || a >= 1e15 then float x
  else if a < 999_500. then float (x /. 1e3) ^ "k"
  else if a < 999_500_000. then float (x /. 1e6) ^ "M"
  else float (x /. 1e9) ^ "G"

let seconds s =
  let a = Float.abs s in
  if a >= 1. then float s ^ " s"
  else if a >= 1e-3 then float (s *. 1e3) ^ " ms"
  else if a >= 1e-6 then float (s *. 1e6) ^ " us"
  else float (s *. 1e9) ^ " ns"
