open Weft_files

type figures = { work : int; span : int; burdened : int }
type region = { name : string; parent : int option; calls : int; figures : figures; own : int; on_path : int }
type step = Run of int | Fork of int | Join of int | Post of int | Wait of int | Idle of int

type t = {
  workers : int;
  total : figures;
  elsewhere : int;
  burden : int;
  overhead : int;
  grain : int;
  outside : int option;
  is_cut : bool;
  regions : region array;
  tasks : step array array;
  events : int;
}

type file = Profile of t | Times of int | Unfinished

exception Wrong of int * string

(* --- lines --- *)

(* The remaining lines, and the number of lines read. *)
type lines = { mutable left : string list; mutable number : int }

let wrong lines fmt = Printf.ksprintf (fun what -> raise (Wrong (lines.number, what))) fmt

let next lines =
  match lines.left with
  | [] -> wrong lines "it ends too early"
  | line :: left ->
      lines.left <- left;
      lines.number <- lines.number + 1;
      line

let peek lines = match lines.left with [] -> "" | line :: _ -> line
let words line = List.filter (( <> ) "") (String.split_on_char ' ' line)

(* Three years, in ns. *)
let greatest = 100_000_000_000_000_000

let number lines text =
  match int_of_string_opt text with
  | Some n when n >= 0 && n <= greatest -> n
  | _ ->
      wrong lines "'%s' is not a number from 0 to 10^17"
        (if String.length text > 20 then String.sub text 0 20 else text)

(* The line [key N N ...]. *)
let numbers lines key count =
  match words (next lines) with
  | first :: rest when String.equal first key && List.length rest = count -> List.map (number lines) rest
  | _ -> wrong lines "'%s' and %d numbers were expected" key count

let one lines key = List.hd (numbers lines key 1)

let figures lines = function
  | [ work; span; burdened ] -> { work; span; burdened }
  | _ -> wrong lines "three figures were expected"

(* --- regions --- *)

let region lines ~known line =
  let make parent calls work span burdened own on_path name =
    if parent < -1 || parent >= known then wrong lines "a region inside one that does not come before";
    if List.exists (fun n -> n < 0 || n > greatest) [ calls; work; span; burdened; own; on_path ] then
      wrong lines "a figure that is not from 0 to 10^17";
    {
      name;
      parent = (if parent < 0 then None else Some parent);
      calls;
      figures = { work; span; burdened };
      own;
      on_path;
    }
  in
  try Scanf.sscanf line "region %d %d %d %d %d %d %d %S%!" make
  with Scanf.Scan_failure _ | Failure _ | End_of_file -> wrong lines "this is no region"

(* A name is as long as its region is deep. *)
let deepest = 1000

let regions lines =
  let found = Dynarray.create () and depths = Dynarray.create () in
  while String.starts_with ~prefix:"region " (peek lines) do
    let region = region lines ~known:(Dynarray.length found) (next lines) in
    let depth = match region.parent with None -> 1 | Some parent -> Dynarray.get depths parent + 1 in
    if depth > deepest then wrong lines "regions are nested more than %d deep" deepest;
    Dynarray.add_last found region;
    Dynarray.add_last depths depth
  done;
  Dynarray.to_array found

(* --- tasks --- *)

let task lines =
  let count = one lines "task" in
  let rec steps found = function
    | [] -> Array.of_list (List.rev found)
    | letter :: n :: rest ->
        let n = number lines n in
        let step =
          match letter with
          | "R" -> Run n
          | "F" -> Fork n
          | "J" -> Join n
          | "P" -> Post n
          | "W" -> Wait n
          | "I" -> Idle n
          | _ -> wrong lines "'%s' is no step" letter
        in
        steps (step :: found) rest
    | [ _ ] -> wrong lines "a step without a number"
  in
  let steps = steps [] (words (next lines)) in
  if Array.length steps <> count then
    wrong lines "%d steps were announced, and there are %d" count (Array.length steps);
  steps

let rec tasks lines found =
  if String.starts_with ~prefix:"task " (peek lines) then tasks lines (task lines :: found)
  else Array.of_list (List.rev found)

(* Renumbers events from 0, in the order of their posts in the file. An event that no task posts counts as
   posted. *)
let number_events tasks =
  let posted = Hashtbl.create 64 in
  let each f = Array.iter (Array.iter f) tasks in
  each (function
    | Post e -> if not (Hashtbl.mem posted e) then Hashtbl.add posted e (Hashtbl.length posted)
    | _ -> ());
  let step = function
    | Post e -> Post (Hashtbl.find posted e)
    | Wait e -> ( match Hashtbl.find_opt posted e with Some i -> Wait i | None -> Run 0)
    | (Run _ | Fork _ | Join _ | Idle _) as step -> step
  in
  (Array.map (Array.map step) tasks, Hashtbl.length posted)

let check_tasks lines tasks =
  let count = Array.length tasks in
  if count = 0 then wrong lines "there is no task";
  let forked = Array.make count false in
  let check = function
    | Fork i | Join i -> if i <= 0 || i >= count then wrong lines "there is no task %d" i
    | Run _ | Post _ | Wait _ | Idle _ -> ()
  in
  Array.iter
    (Array.iter (fun step ->
         check step;
         match step with
         | Fork i ->
             if forked.(i) then wrong lines "task %d is forked twice" i;
             forked.(i) <- true
         | _ -> ()))
    tasks

(* Ten times [greatest]: the simulated times stay below the greatest integer. At worst the steps run one after
   the other, and each is a steal. *)
let check_time lines ~burden tasks =
  let add sum step =
    let sum = sum + burden + match step with Run n | Idle n -> n | Fork _ | Join _ | Post _ | Wait _ -> 0 in
    if sum > 10 * greatest then wrong lines "the steps take more than 10^18 ns";
    sum
  in
  ignore (Array.fold_left (Array.fold_left add) 0 tasks : int)

(* --- files --- *)

let profile lines =
  let workers = one lines "workers" in
  let total = figures lines (numbers lines "total" 3) in
  let elsewhere = one lines "elsewhere" in
  let settings = numbers lines "settings" 3 in
  let outside =
    if String.starts_with ~prefix:"outside " (peek lines) then Some (one lines "outside") else None
  in
  let is_cut = one lines "cut" <> 0 in
  let regions = regions lines in
  let tasks = tasks lines [] in
  check_tasks lines tasks;
  let tasks, events = number_events tasks in
  match settings with
  | [ burden; overhead; grain ] ->
      check_time lines ~burden tasks;
      { workers; total; elsewhere; burden; overhead; grain; outside; is_cut; regions; tasks; events }
  | _ -> wrong lines "three settings were expected"

let of_lines all =
  let lines = { left = all; number = 0 } in
  let ended file =
    if not (String.equal (next lines) "end") then wrong lines "'end' was expected";
    if lines.left <> [] then wrong lines "something follows the end";
    file
  in
  match
    match next lines with
    | "weft-profile 1 unfinished" -> Unfinished
    | "weft-profile 1" ->
        ended
          (if String.starts_with ~prefix:"calls " (peek lines) then Times (one lines "calls")
           else Profile (profile lines))
    | line when String.starts_with ~prefix:"weft-profile " line ->
        wrong lines "a profile of another version of Weft"
    | _ -> wrong lines "this is no profile of Weft"
  with
  | file -> Ok file
  | exception Wrong (number, what) -> Error (Printf.sprintf "line %d: %s" number what)

let lines_of text =
  match List.rev (String.split_on_char '\n' text) with "" :: rest -> List.rev rest | lines -> List.rev lines

(* A graph that is not cut has 2.6 million steps. *)
let greatest_size = 256 * 1024 * 1024

let read name =
  Result.bind
    (Input.with_file name (Input.contents ~most:greatest_size))
    (fun text -> of_lines (lines_of text))
  |> Result.map_error (fun reason -> Printf.sprintf "%s: %s" (Input.shown name) (Foreign_text.ascii reason))

let rec name t (r : region) =
  match r.parent with None -> r.name | Some p -> name t t.regions.(p) ^ "/" ^ r.name
