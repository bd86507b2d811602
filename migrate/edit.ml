type t = { span : Sexp.span; by : string }

let in_order edits = List.sort (fun a b -> Int.compare a.span.start b.span.start) edits

let apply text edits =
  let buffer = Buffer.create (String.length text + 64) in
  let add from { span; by } =
    Buffer.add_substring buffer text from (span.start - from);
    Buffer.add_string buffer by;
    span.stop
  in
  let from = List.fold_left add 0 (in_order edits) in
  Buffer.add_substring buffer text from (String.length text - from);
  Buffer.contents buffer

let lines text =
  let ends = ref [] in
  String.iteri (fun i c -> if c = '\n' then ends := i :: !ends) text;
  let ends = Array.of_list (List.rev !ends) in
  (* How many lines end before [at]. *)
  let rec search at low high =
    if low = high then low
    else
      let middle = (low + high) / 2 in
      if ends.(middle) < at then search at (middle + 1) high else search at low middle
  in
  fun at -> 1 + search at 0 (Array.length ends)

(* --- the diff --- *)

(* The byte after the end of the line of [i], its newline included. *)
let after_line text i =
  match String.index_from_opt text (Int.min i (String.length text)) '\n' with
  | Some j -> j + 1
  | None -> String.length text

let line_start text i =
  if i = 0 then 0 else match String.rindex_from_opt text (i - 1) '\n' with Some j -> j + 1 | None -> 0

(* Whole lines that change: from the byte [first] to before [last], by these edits. *)
type block = { first : int; last : int; edits : t list }

let blocks text edits =
  let add blocks edit =
    let first = line_start text edit.span.start in
    let last = after_line text (Int.max edit.span.start (edit.span.stop - 1)) in
    match blocks with
    | block :: others when first < block.last ->
        { block with last = Int.max last block.last; edits = block.edits @ [ edit ] } :: others
    | _ -> { first; last; edits = [ edit ] } :: blocks
  in
  List.rev (List.fold_left add [] (in_order edits))

let split text =
  if text = "" then []
  else
    let all = String.split_on_char '\n' text in
    (* A last newline ends the last line; it does not begin another one. *)
    if String.ends_with ~suffix:"\n" text then List.filteri (fun i _ -> i < List.length all - 1) all else all

let context = 3
let rec back text at n = if n = 0 || at = 0 then at else back text (line_start text (at - 1)) (n - 1)

let rec forth text at n =
  if n = 0 || at >= String.length text then at else forth text (after_line text at) (n - 1)

(* Blocks whose contexts touch are one hunk. *)
let hunks text blocks =
  let add hunks block =
    match hunks with
    | (latest :: _ as hunk) :: others when back text block.first context <= forth text latest.last context ->
        (block :: hunk) :: others
    | _ -> [ block ] :: hunks
  in
  List.rev_map List.rev (List.fold_left add [] blocks)

let shifted by edit = { edit with span = { Sexp.start = edit.span.start - by; stop = edit.span.stop - by } }

let print_lines buffer mark text =
  let ends = text = "" || String.ends_with ~suffix:"\n" text in
  let print line = Buffer.add_string buffer (mark ^ line ^ "\n") in
  List.iter print (split text);
  if not ends then Buffer.add_string buffer "\\ No newline at end of file\n"

let count text = List.length (split text)

(* [moved] is by how many lines the new text is ahead. The result is the same after the hunk. *)
let print_hunk buffer text line moved hunk =
  let sub first last = String.sub text first (last - first) in
  let body = Buffer.create 256 in
  let start = back text (List.hd hunk).first context in
  let old_lines = ref 0 and new_lines = ref 0 in
  let same text =
    old_lines := !old_lines + count text;
    new_lines := !new_lines + count text;
    print_lines body " " text
  in
  let print from block =
    same (sub from block.first);
    let before = sub block.first block.last in
    let after = apply before (List.map (shifted block.first) block.edits) in
    old_lines := !old_lines + count before;
    new_lines := !new_lines + count after;
    print_lines body "-" before;
    print_lines body "+" after;
    block.last
  in
  let from = List.fold_left print start hunk in
  same (sub from (forth text from context));
  let first = line start in
  Buffer.add_string buffer
    (Printf.sprintf "@@ -%d,%d +%d,%d @@\n" first !old_lines (first + moved) !new_lines);
  Buffer.add_buffer buffer body;
  moved + !new_lines - !old_lines

let diff ~path text edits =
  if edits = [] then ""
  else begin
    let buffer = Buffer.create 1024 in
    (* A name with blanks ends at a tab, or patch takes what is before the first one. *)
    let ended = if String.contains path ' ' then path ^ "\t" else path in
    Buffer.add_string buffer (Printf.sprintf "--- a/%s\n+++ b/%s\n" ended ended);
    ignore (List.fold_left (print_hunk buffer text (lines text)) 0 (hunks text (blocks text edits)) : int);
    Buffer.contents buffer
  end
