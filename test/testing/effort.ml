type t = Quick | Usual | Long

let stated =
  match Sys.getenv_opt "WEFT_TEST_EFFORT" with
  | Some "quick" -> Quick
  | None | Some ("" | "usual") -> Usual
  | Some "long" -> Long
  | Some other -> failwith (Printf.sprintf "WEFT_TEST_EFFORT=%s: it is quick, usual or long" other)

let level =
  match (Sys.getenv_opt "WEFT_TEST_AGAIN", stated) with
  | (None | Some ""), level -> level
  | Some _, Long -> Usual
  | Some _, (Usual | Quick) -> Quick

let count ~quick ~usual ~long = match level with Quick -> quick | Usual -> usual | Long -> long
let few n = if level = Quick then (n + 9) / 10 else n
let some ~quick all = if level = Quick then quick else all
