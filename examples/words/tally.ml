module Table = Hashtbl.Make (struct
  include String

  let hash (word : string) = Hashtbl.hash word
end)

(* The tables hold references, so that counting a known word takes one look-up. The outer field is mutable,
   so that a merge can keep the larger table. *)
type t = { mutable table : int ref Table.t }

let create () = { table = Table.create 256 }

let add table word n =
  match Table.find table word with
  | seen -> seen := !seen + n
  | exception Not_found -> Table.add table word (ref n)

let[@inline] is_word_byte = function
  | 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' | '\128' .. '\255' -> true
  | _ -> false

let[@inline] is_digit = function '0' .. '9' -> true | _ -> false

(* The first index from [i] on, but at most [limit], whose byte is (not) part of a word. *)
let rec skip_word text i limit =
  if i < limit && is_word_byte text.[i] then skip_word text (i + 1) limit else i

let rec skip_gap text i limit =
  if i < limit && not (is_word_byte text.[i]) then skip_gap text (i + 1) limit else i

let add_words t ~min_length text ~first ~last =
  if first < 0 || first > last || last > String.length text then
    invalid_arg (Printf.sprintf "Tally.add_words: no range of the text: %d to %d" first last);
  let rec from i =
    let start = skip_gap text i last in
    if start < last then begin
      let stop = skip_word text start (String.length text) in
      let length = stop - start in
      if length >= min_length && not (is_digit text.[start]) then
        add t.table (String.lowercase_ascii (String.sub text start length)) 1;
      from stop
    end
  in
  let in_mid_word = first > 0 && is_word_byte text.[first - 1] in
  from (if in_mid_word then skip_word text first last else first)

let merge ~into t =
  let large, small =
    if Table.length into.table >= Table.length t.table then (into.table, t.table) else (t.table, into.table)
  in
  Table.iter (fun word n -> add large word !n) small;
  into.table <- large

let count t word = match Table.find t.table word with n -> !n | exception Not_found -> 0
let total t = Table.fold (fun _ n sum -> sum + !n) t.table 0
let distinct t = Table.length t.table

let equal a b =
  distinct a = distinct b && Table.fold (fun word n same -> same && count b word = !n) a.table true

let top t n =
  let by_rank (word, count) (word', count') =
    match Int.compare count' count with 0 -> String.compare word word' | order -> order
  in
  Table.fold (fun word n all -> (word, !n) :: all) t.table []
  |> List.sort by_rank
  |> List.filteri (fun rank _ -> rank < n)
