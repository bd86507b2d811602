type bound = Constant | Logarithmic | Linear | Linear_log

type case = {
  name : string;
  bound : bound;
  many : bool; (* n calls of the function *)
  must_call : bool;
  run : (unit -> unit) -> int -> unit -> unit;
}

let calls name bound run = { name; bound; many = false; must_call = true; run }
let words name bound run = { name; bound; many = false; must_call = false; run = (fun _ -> run) }
let each case = { case with many = true }

(* --- work --- *)

type work = { calls : int; words : float }

(* Words allocated by this domain alone: minor ones, and those that went straight to the major heap. *)
let allocated () =
  let minor, promoted, major = Gc.counters () in
  minor +. major -. promoted

let work case n =
  let count = ref 0 in
  let run = case.run (fun () -> incr count) n in
  count := 0;
  let before = allocated () in
  run ();
  { words = allocated () -. before; calls = !count }

(* The most that is allowed for 4 n elements, if there was [once] for n. Words vary more than calls: arrays
   double, and the clock decides how long blocks are. All of it is far below 16 times as much, which would
   be quadratic. *)
let most_calls bound once =
  let once = float_of_int once in
  match bound with
  | Constant -> once +. 16.
  | Logarithmic -> (1.5 *. once) +. 32.
  | Linear -> 4.4 *. (once +. 20.)
  | Linear_log -> 6.6 *. (once +. 20.)

let most_words bound once =
  match bound with
  | Constant -> (1.2 *. once) +. 300.
  | Logarithmic -> (1.5 *. once) +. 300.
  | Linear -> 7. *. (once +. 500.)
  | Linear_log -> 8. *. (once +. 500.)

let shown = function
  | Constant -> "O(1)"
  | Logarithmic -> "O(log n)"
  | Linear -> "O(n)"
  | Linear_log -> "O(n log n)"

let name case = case.name
let prepared case = case.run ignore

let stated case =
  match case.bound with
  | Linear when case.many -> shown Constant
  | Linear_log when case.many -> shown Logarithmic
  | bound -> shown bound

(* A loop allocates some words for each block, and the lengths of blocks vary by chance, not with n; the
   shape of a treap or of a skip list is random. So if the work is too much once, it is counted again: the
   largest of all counts for n, the least for 4 n. *)
let check_one prefix ~between case n =
  let what = Printf.sprintf "%s%s is in %s" prefix case.name (stated case) in
  let most = ref { calls = 0; words = 0. } in
  Watchdog.until_undisturbed what @@ fun () ->
  let work n =
    let work = work case n in
    between ();
    work
  in
  let once = work n and more = work (4 * n) in
  if case.must_call && once.calls = 0 then Alcotest.failf "%s: no call was counted" what;
  most := { calls = Int.max !most.calls once.calls; words = Float.max !most.words once.words };
  if float_of_int more.calls > most_calls case.bound !most.calls then
    Error (Printf.sprintf "%d calls for n = %d, %d for 4 n" !most.calls n more.calls)
  else if more.words > most_words case.bound !most.words then
    Error (Printf.sprintf "%.0f words for n = %d, %.0f for 4 n" !most.words n more.words)
  else Ok ()

let check prefix ?(between = ignore) ~sizes cases =
  List.iter (fun case -> List.iter (check_one prefix ~between case) sizes) cases

(* --- completeness --- *)

let is_of_name c = match c with 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' | '\'' -> true | _ -> false

let name_at line from =
  let rec ends i = if i < String.length line && is_of_name line.[i] then ends (i + 1) else i in
  String.sub line from (ends from - from)

let declared line =
  let line = String.trim line in
  let after keyword =
    if String.starts_with ~prefix:keyword line then Some (name_at line (String.length keyword)) else None
  in
  match after "val " with Some _ as name -> name | None -> after "external "

let public_lines interface =
  let rec public = function [] | "(**/**)" :: _ -> [] | line :: rest -> line :: public rest in
  public (String.split_on_char '\n' interface)

let values interface = public_lines interface |> List.filter_map declared |> List.sort_uniq String.compare

(* A declaration may take several lines. *)
let procedures interface =
  let ends_with_unit line = String.ends_with ~suffix:"-> unit" (String.trim line) in
  let note (current, found) line =
    let current = match declared line with Some _ as name -> name | None -> current in
    match current with Some name when ends_with_unit line -> (None, name :: found) | _ -> (current, found)
  in
  List.sort_uniq String.compare (snd (List.fold_left note (None, []) (public_lines interface)))
