(* What nobody can refer to, since it is declared in no interface that dune has odoc read. *)
let foreign =
  [
    "Assert_failure";
    "Division_by_zero";
    "End_of_file";
    "Exit";
    "Failure";
    "Invalid_argument";
    "Match_failure";
    "Not_found";
    "Out_of_memory";
    "Stack_overflow";
    "Stdlib";
    "Sys";
    "Sys_error";
    "Unix";
  ]

(* The name in [... unresolvedroot(Weft).Cancel.Timeout Couldn't ...]. *)
let unresolved line =
  let mark = "unresolvedroot(" in
  let n = String.length mark in
  let rec go i =
    if i + n > String.length line then None
    else if String.sub line i n = mark then
      let rest = String.sub line (i + n) (String.length line - i - n) in
      Some (String.concat "" (String.split_on_char ')' (List.hd (String.split_on_char ' ' rest))))
    else go (i + 1)
  in
  go 0

let is_fine ~known line =
  match unresolved line with
  | None -> false
  | Some name -> List.mem (List.hd (String.split_on_char '.' name)) foreign || known name

let of_output ~known output =
  (* [File "...", line ...:]; perhaps where that was included; what is wrong. Some have more lines, which say the same at length. *)
  let rec go place = function
    | line :: rest when String.starts_with ~prefix:"File " line -> go (Some line) rest
    | line :: rest when String.starts_with ~prefix:"While " line -> go place rest
    | line :: rest -> (
        match place with
        | Some place when String.trim line <> "" ->
            if is_fine ~known line then go None rest else (place ^ " " ^ String.trim line) :: go None rest
        | _ -> go place rest)
    | [] -> []
  in
  go None (String.split_on_char '\n' output)

let all ~known folder =
  let linked = List.filter (fun path -> Filename.check_suffix path ".odocl") (Files.below folder) in
  let ( let* ) = Result.bind in
  let rec go found = function
    | [] -> Ok (List.sort_uniq String.compare found)
    | path :: rest ->
        (* It says what is wrong on standard error. *)
        let* output = Files.output_of [ "/bin/sh"; "-c"; "exec odoc errors \"$0\" 2>&1"; path ] in
        go (of_output ~known output @ found) rest
  in
  go [] linked
