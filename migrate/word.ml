let is_inner c =
  match c with 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' | '-' | '.' | '\'' -> true | _ -> false

(* From [i] to [stop]. A full stop may end a sentence. *)
let rec places_in text i stop =
  let n = String.length Finding.old_name in
  let is_end j = j >= String.length text || not (is_inner text.[j]) in
  if i + n > stop then []
  else if
    text.[i] = Finding.old_name.[0]
    && String.sub text i n = Finding.old_name
    && (i = 0 || not (is_inner text.[i - 1]))
    && (is_end (i + n) || (text.[i + n] = '.' && is_end (i + n + 1)))
  then { Sexp.start = i; stop = i + n } :: places_in text (i + n) stop
  else places_in text (i + 1) stop

let places text = places_in text 0 (String.length text)

let required text =
  let in_line (start, found) line =
    let next = start + String.length line + 1 in
    match String.split_on_char '"' line with
    | directive :: packages :: _ when String.trim directive = "#require" ->
        let first = start + String.length directive + 1 in
        (next, List.rev_append (places_in text first (first + String.length packages)) found)
    | _ -> (next, found)
  in
  List.rev (snd (List.fold_left in_line (0, []) (String.split_on_char '\n' text)))

let noted advice text =
  let note ({ start; _ } : Sexp.span) = Finding.note ~needed:true start ~what:Finding.old_name advice in
  Finding.concat (List.map note (places text))
