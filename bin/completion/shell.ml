open Help_page

let quoted text = "'" ^ String.concat {|'\''|} (String.split_on_char '\'' text) ^ "'"

let rec is_prefix words others =
  match (words, others) with
  | [], [ _ ] -> true
  | word :: words, other :: others -> String.equal word other && is_prefix words others
  | _ -> false

let below pages page = List.filter (fun other -> is_prefix page.words other.words) pages
let last_word page = List.nth page.words (List.length page.words - 1)
