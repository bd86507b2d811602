open Help_page
open Shell

let frame =
  {|#compdef weft
# Completion of weft's commands for zsh. Made from the manual pages when weft is built.

# The names that a command's --list tells. $1: one, or several with commas between; $2: which names; then the command.
_weft_names() {
  local many=$1 program
  case $2 in
|}
  ^ String.concat ""
      (List.map
         (fun names ->
           Printf.sprintf "    %s) program=%s ;;\n" (Values.to_string names) (quoted (Values.awk names)))
         Values.all_names)
  ^ {|  esac
  shift 2
  local -a names
  names=(${(f)"$(_call_program names weft $@ --list 2>/dev/null | awk $program)"})
  _weft_words $many $names
}

_weft_words() {
  local many=$1
  shift
  if [[ $many == several ]]; then _values -s , value $@; else compadd -a argv; fi
}

# A program and what that takes, perhaps after --.
_weft_program() {
  if [[ $words[1] == -- ]]; then
    shift words
    (( CURRENT-- ))
  fi
  _normal
}
|}

(* Escapes text for a specification of _arguments. *)
let escaped text =
  let escape = function (':' | '[' | ']' | '\\') as c -> Printf.sprintf "\\%c" c | c -> String.make 1 c in
  String.concat "" (List.map escape (List.of_seq (String.to_seq text)))

let function_of words = String.concat "_" ("_weft" :: words)

let action command (value : value) =
  let many = if value.is_list then "several" else "one" in
  match Values.of_value ~command value with
  | Nothing -> " "
  | Files -> "_files"
  | Folders -> "_files -/"
  | Program -> "_weft_program"
  | Processes -> "_pids"
  | Words words -> Printf.sprintf " _weft_words %s %s" many (String.concat " " words)
  | Listed { command; names } ->
      String.concat " " (" _weft_names" :: many :: Values.to_string names :: command)

let option_ page (o : option_) =
  let others = match o.names with [ _ ] -> "" | names -> "(" ^ String.concat " " names ^ ")" in
  let is_long n = String.starts_with ~prefix:"--" n in
  let one n =
    let sign, value =
      match o.value with
      | `None -> ("", "")
      | `Required v -> ((if is_long n then "=" else "+"), Printf.sprintf ":%s:%s" v.name (action page.words v))
      | `Optional v -> ("=-", Printf.sprintf "::%s:%s" v.name (action page.words v))
    in
    quoted (Printf.sprintf "%s%s%s[%s]%s" others n sign (escaped o.about) value)
  in
  List.map one o.names

let argument page i ({ value; repeats } : argument) =
  match Values.of_value ~command:page.words value with
  | Program -> [ quoted "*:: :_weft_program" ]
  | _ ->
      let place = if repeats then "*" else string_of_int (i + 1) in
      [ quoted (Printf.sprintf "%s:%s:%s" place value.name (action page.words value)) ]

let commands_of below =
  let one p = quoted (Printf.sprintf "%s:%s" (last_word p) (escaped p.about)) in
  String.concat " " (List.map one below)

let call p = Printf.sprintf "      %s) %s ;;\n" (last_word p) (function_of p.words)

(* [group] is for a command that has only subcommands, [leaf] for one without subcommands. *)
let group page below =
  Printf.sprintf
    "  local curcontext=$curcontext state line\n\
    \  local -a commands\n\
    \  commands=(%s)\n\
    \  _arguments -C %s '1: :->command' '*:: :->rest'\n\
    \  case $state in\n\
    \    command) _describe command commands ;;\n\
    \    rest) case $words[1] in\n\
     %s    esac ;;\n\
    \  esac\n"
    (commands_of below)
    (String.concat " " (List.concat_map (option_ page) page.options))
    (String.concat "" (List.map call below))

let leaf page =
  let specifications =
    List.concat_map (option_ page) page.options @ List.concat (List.mapi (argument page) page.arguments)
  in
  Printf.sprintf "  _arguments -S %s\n" (String.concat " \\\n    " specifications)

(* A command with both arguments and subcommands: these stand at the place of the first argument. *)
let both page below =
  let call p =
    Printf.sprintf "      %s) shift words; (( CURRENT-- )); %s; return ;;\n" (last_word p)
      (function_of p.words)
  in
  Printf.sprintf
    "  if (( CURRENT > 2 )); then\n\
    \    case $words[2] in\n\
     %s    esac\n\
    \  fi\n\
    \  local -a commands\n\
    \  commands=(%s)\n\
    \  (( CURRENT > 2 )) || [[ $words[2] == -* ]] || _describe command commands\n\
     %s"
    (String.concat "" (List.map call below))
    (commands_of below) (leaf page)

let script pages =
  let define page =
    let body =
      match (below pages page, page.arguments) with
      | [], _ -> leaf page
      | below, [] -> group page below
      | below, _ -> both page below
    in
    Printf.sprintf "\n%s() {\n%s}\n" (function_of page.words) body
  in
  frame ^ String.concat "" (List.map define pages) ^ "\n_weft \"$@\"\n"
