type t = { file : string; was : string; now : string; times : int }
type mutant = { name : string; edits : t list; caught_by : string list }

exception Does_not_apply of t * int

let edit ?(times = 1) file was now = { file; was; now; times }

(* --- planted faults --- *)

let either name ~was ~now = Printf.sprintf "(if Mutation.is %S then %s else %s)" name now was

(* [was] and [now] are expressions. [around] is the text before and after the expression, which identifies
   the place. *)
let swap ?(before = "") ?(after = "") file was now name =
  edit file (before ^ was ^ after) (before ^ either name ~was ~now ^ after)

let mutant name ~caught_by edits = { name; caught_by; edits = List.map (fun e -> e name) edits }

(* --- applying --- *)

let occurrences text part =
  let n = String.length part in
  let rec from i found =
    if i + n > String.length text then List.rev found
    else if String.sub text i n = part then from (i + n) (i :: found)
    else from (i + 1) found
  in
  from 0 []

let apply_one text e =
  let found = occurrences text e.was in
  if List.length found <> e.times then raise (Does_not_apply (e, List.length found));
  let b = Buffer.create (2 * String.length text) in
  let rest =
    List.fold_left
      (fun from i ->
        Buffer.add_string b (String.sub text from (i - from));
        Buffer.add_string b e.now;
        i + String.length e.was)
      0 found
  in
  Buffer.add_string b (String.sub text rest (String.length text - rest));
  Buffer.contents b

let apply edits ~file text = List.fold_left apply_one text (List.filter (fun e -> e.file = file) edits)
