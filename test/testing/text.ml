let contains part text =
  let n = String.length part in
  let rec at i = i + n <= String.length text && (String.sub text i n = part || at (i + 1)) in
  at 0

let check_contains what ~part text =
  if not (contains part text) then Alcotest.failf "%s: %S is not in %S" what part text

let lines text = List.filter (( <> ) "") (String.split_on_char '\n' text)
let read path = In_channel.with_open_bin path In_channel.input_all
