(* --- tokens --- *)

type token = Name of string | Label of string | Mark of char

let is_letter c = match c with 'a' .. 'z' | 'A' .. 'Z' | '_' -> true | c -> Char.code c >= 128
let is_inner c = is_letter c || match c with '0' .. '9' | '\'' -> true | _ -> false
let rec word_end text i = if i < String.length text && is_inner text.[i] then word_end text (i + 1) else i
let char_at text i = if i < String.length text then text.[i] else ' '

let rec string_end text i =
  if i >= String.length text then i
  else match text.[i] with '"' -> i + 1 | '\\' -> string_end text (i + 2) | _ -> string_end text (i + 1)

let starts text part i =
  let n = String.length part in
  i + n <= String.length text && String.sub text i n = part

let rec past text part i =
  if i >= String.length text then i
  else if starts text part i then i + String.length part
  else past text part (i + 1)

(* At a brace: the end of [{id|...|id}], if that is what begins here. *)
let quoted_end text i =
  let rec id j = match char_at text j with 'a' .. 'z' | '_' -> id (j + 1) | '|' -> Some j | _ -> None in
  Option.map (fun bar -> past text ("|" ^ String.sub text (i + 1) (bar - i - 1) ^ "}") (bar + 1)) (id (i + 1))

(* At an apostrophe: the end of a character, if it is one; else it belongs to a type variable. *)
let character_end text i =
  if char_at text (i + 1) = '\\' then Some (past text "'" (i + 3))
  else if char_at text (i + 2) = '\'' then Some (i + 3)
  else None

(* What is to be skipped at [i], if anything. *)
let rec skipped text i =
  match text.[i] with
  | '(' when starts text "(*" i && not (starts text "(*)" i) -> Some (comment_end text (i + 2) 1)
  | '"' -> Some (string_end text (i + 1))
  | '{' -> quoted_end text i
  | '\'' -> character_end text i
  | _ -> None

and comment_end text i depth =
  if i >= String.length text || depth = 0 then i
  else if starts text "(*" i then comment_end text (i + 2) (depth + 1)
  else if starts text "*)" i then comment_end text (i + 2) (depth - 1)
  else
    match text.[i] with
    | '"' -> comment_end text (string_end text (i + 1)) depth
    | ('{' | '\'') as c -> (
        match if c = '{' then quoted_end text i else character_end text i with
        | Some stop -> comment_end text stop depth
        | None -> comment_end text (i + 1) depth)
    | _ -> comment_end text (i + 1) depth

let rec tokens text i acc =
  if i >= String.length text then List.rev acc
  else
    match skipped text i with
    | Some stop -> tokens text stop acc
    | None -> (
        let add token stop = tokens text stop ((i, token) :: acc) in
        match text.[i] with
        | ('~' | '?') when is_letter (char_at text (i + 1)) ->
            let stop = word_end text (i + 1) in
            add (Label (String.sub text (i + 1) (stop - i - 1))) stop
        | c when is_letter c ->
            let stop = word_end text i in
            add (Name (String.sub text i (stop - i))) stop
        | ' ' | '\t' | '\n' | '\r' -> tokens text (i + 1) acc
        (* Not the names in numbers, such as 0xff. *)
        | '0' .. '9' -> tokens text (word_end text i) acc
        | c -> add (Mark c) (i + 1))

(* --- paths --- *)

type word = Path of string list * bool  (** whether [.(] or the like follows *) | Other of token

let rec words acc = function
  | (at, Name first) :: rest ->
      let path, opens, rest = path [ first ] rest in
      words ((at, Path (path, opens)) :: acc) rest
  | (at, token) :: rest -> words ((at, Other token) :: acc) rest
  | [] -> List.rev acc

and path names = function
  | (_, Mark '.') :: (_, Name next) :: rest -> path (next :: names) rest
  | (_, Mark '.') :: ((_, Mark ('(' | '[' | '{')) :: _ as rest) -> (List.rev names, true, rest)
  | rest -> (List.rev names, false, rest)

(* --- what names mean in this file --- *)

(* [aliases]: what a module's name stands for; [opened]: what is open, once it has been anywhere. *)
type meaning = { aliases : (string * string list) list; opened : string list list }

let rec resolve m = function
  | "Stdlib" :: (_ :: _ as rest) -> resolve m rest
  | first :: rest as path -> (
      match List.assoc_opt first m.aliases with
      | Some target -> target @ rest
      | None -> (
          let is_library = function [ ("Domainslib" | "Domainslib_04") ] -> true | _ -> false in
          match List.find_opt is_library m.opened with
          | Some library when List.mem first [ "Task"; "Chan"; "Ws_deque" ] -> library @ path
          | _ -> path))
  | [] -> []

let is_of_domainslib path = match path with "Domainslib" :: _ | "Domainslib_04" :: _ -> true | _ -> false

(* The modules whose names are followed. *)
let is_followed path = is_of_domainslib path || match path with "Domain" :: _ -> true | _ -> false

let opening m path =
  let path = resolve m path in
  if is_followed path then { m with opened = path :: m.opened } else m

let rec learn m = function
  | (_, Path ([ "module" ], _))
    :: (_, Path ([ name ], _))
    :: (_, Other (Mark '='))
    :: (_, Path (target, _))
    :: rest ->
      let target = resolve m target in
      learn (if is_followed target then { m with aliases = (name, target) :: m.aliases } else m) rest
  | (_, Path ([ ("open" | "include") ], _)) :: (_, Other (Mark '!')) :: (_, Path (path, _)) :: rest
  | (_, Path ([ ("open" | "include") ], _)) :: (_, Path (path, _)) :: rest ->
      learn (opening m path) rest
  | (_, Path (path, true)) :: rest -> learn (opening m path) rest
  | _ :: rest -> learn m rest
  | [] -> m

(* --- notes --- *)

(* What a path may stand for. *)
let meanings m path =
  match resolve m path with [ name ] -> List.map (fun o -> o @ [ name ]) m.opened | path -> [ path ]

let note_of_path m at path =
  let about path =
    match path with
    | [ ("Domainslib" | "Domainslib_04"); "Task"; name ] -> Advice.of_task name
    | [ ("Domainslib" | "Domainslib_04"); "Chan"; name ] -> Advice.of_channel name
    | [ ("Domainslib" | "Domainslib_04"); "Ws_deque"; _ ] -> Advice.of_deque
    | _ -> Advice.of_other (String.concat "." path)
  in
  match List.find_map about (meanings m path) with
  | Some (needed, advice) -> Finding.note ~needed at ~what:(String.concat "." (resolve m path)) advice
  | None -> Finding.nothing

let note_of_label at name =
  match Advice.of_label name with
  | Some (needed, advice) -> Finding.note ~needed at ~what:("~" ^ name) advice
  | None -> Finding.nothing

(* In [module T = Domainslib.Task] and after [open] there is nothing to say: modules have no advice. *)
let rec notes m = function
  | (at, Path (path, _))
    :: (_, Other (Mark '('))
    :: (_, Other (Mark ')'))
    :: (_, Other (Mark ':'))
    :: (_, Other (Mark '>'))
    :: rest
    when List.mem [ "Domain"; "self" ] (meanings m path) ->
      Finding.note ~needed:true at ~what:"Domain.self () :> int" Advice.number_of_domain :: notes m rest
  | (at, Path (path, _)) :: rest -> note_of_path m at path :: notes m rest
  | (at, Other (Label name)) :: rest -> note_of_label at name :: notes m rest
  | (_, Other (Name _ | Mark _)) :: rest -> notes m rest
  | [] -> []

let labels = List.filter (fun (_, word) -> match word with Other (Label _) -> true | _ -> false)
let is_of_it name = name = "Domainslib" || name = "Domainslib_04"
let mentions_it (_, word) = match word with Path (path, _) -> List.exists is_of_it path | Other _ -> false

let look ~in_use text =
  let words = words [] (tokens text 0 []) in
  let m = learn { aliases = []; opened = [] } words in
  (* A label tells of a pool that comes from elsewhere. *)
  let calls = notes m (if in_use || List.exists mentions_it words then words else labels words) in
  Finding.concat (calls @ List.map (fun span -> Finding.edit span Finding.new_name) (Word.required text))
