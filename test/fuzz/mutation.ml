let numbers =
  [
    "0"; "-1"; "1"; "2"; "255"; "65536"; "1000000000"; "2147483648"; "4294967295"; "1000000000000000";
    "99999999999999999"; "4611686018427387903"; "-4611686018427387904"; "4611686018427387904";
    "9223372036854775808"; "99999999999999999999999"; "1e15"; "-1e15"; "1e18"; "1e300"; "1e-300"; "1e999"; "-0.0"; "NaN"; "Infinity";
    "0x7fffffff"; "1_000"; "null"; "[]"; "\"5\"";
  ]
[@@ocamlformat "disable"]

let hostile_names =
  [
    "\027[31m\027]0;title\007"; "\xc2\x9b31m"; "\xe2\x80\xaegnp.exe"; "=HYPERLINK(1)"; "+1"; "-1"; "@sum"; "</script><script>alert(1)</script>";
    "\" onload=\"alert(1)"; "'; system 'true'; '"; "`true`"; "%s%n%d"; "../../etc/passwd"; "a\nb"; "a\rb"; "\xff\xfe"; "\xed\xa0\x80"; "\000";
    "\\u0000"; "\\ud800"; ""; "\xe2\x80\x8b"; "x{y}"; "a,b\"c";
  ]
[@@ocamlformat "disable"]

let words =
  Array.of_list
    (numbers @ hostile_names
    @ [
        "["; "]"; "{"; "}"; "("; "\""; ","; ":"; "/*"; "//"; "\n"; "\t"; "end"; "task 1"; "\\"; "\\x"; "\\999";
      ])

let numbers = Array.of_list numbers

(* Where a number begins and ends, from somewhere on. *)
let number_from text i =
  let is_part = function '0' .. '9' | '.' | '-' | '+' | 'e' -> true | _ -> false in
  let is_digit c = c >= '0' && c <= '9' in
  let n = String.length text in
  let rec first i = if i >= n then None else if is_digit text.[i] then Some i else first (i + 1) in
  let rec past i = if i < n && is_part text.[i] then past (i + 1) else i in
  Option.map (fun i -> (i, past i)) (first i)

let change random text =
  let below n = if n <= 0 then 0 else Random.State.int random n in
  let n = String.length text in
  let at = below (n + 1) in
  let part from length = String.sub text from (min length (n - from)) in
  let before = part 0 at and after = part at n in
  let length = if below 4 = 0 then below (n - at) else below (min 40 (n - at + 1)) in
  let behind = part (min n (at + length)) n in
  let chosen all = all.(below (Array.length all)) in
  match below 10 with
  | 0 -> before
  | 1 -> before ^ behind
  | 2 -> before ^ part at length ^ after
  | 3 -> before ^ chosen words ^ after
  | 4 -> before ^ chosen words ^ behind
  | 5 ->
      let from = below (n + 1) in
      before ^ part from (below (min 200 (n - from + 1))) ^ behind
  | 6 -> (
      match number_from text at with
      | None -> after ^ before
      | Some (first, past) -> part 0 first ^ chosen numbers ^ part past n)
  | 7 ->
      before
      ^ String.concat "" (List.init (below 2000) (fun _ -> chosen [| "["; "{\"a\":"; "("; "<" |]))
      ^ after
  | _ ->
      if n = 0 then ""
      else
        String.mapi
          (fun i c -> if i = min at (n - 1) then Char.chr (Char.code c lxor (1 lsl below 8)) else c)
          text

let damaged random text =
  let rec go times text = if times = 0 then text else go (times - 1) (change random text) in
  go (1 + Random.State.int random 4) text
[@@ocamlformat "disable"]
