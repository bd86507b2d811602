open Help_page
open Shell

(* The part that does not depend on the commands. _weft_options, _weft_value and similar functions, which
   do, are made below. *)
let frame =
  {|# Completion of weft's commands for bash. Made from the manual pages when weft is built.

# The names that a command's --list tells. $1: which names; then the command.
_weft_names() {
  local program
  case $1 in
|}
  ^ String.concat ""
      (List.map
         (fun names ->
           Printf.sprintf "    %s) program=%s ;;\n" (Values.to_string names) (quoted (Values.awk names)))
         Values.all_names)
  ^ {|  esac
  shift
  "${COMP_WORDS[0]/#\~/$HOME}" "$@" --list 2>/dev/null | awk "$program"
}

# Replies with those of the words that go on from what is there; $2: several may come, with commas between.
_weft_reply() {
  local before='' last=$cur
  if [ -n "$2" ]; then
    case $cur in *,*) before=${cur%,*}, last=${cur##*,} ;; esac
    compopt -o nospace 2>/dev/null
  fi
  local IFS=$' \t\n'
  # shellcheck disable=SC2207
  COMPREPLY=($(compgen -P "$before" -W "$1" -- "$last"))
}

# $1: -f for files, -d for folders, -c for programs
_weft_paths() {
  compopt -o filenames 2>/dev/null
  local IFS=$'\n'
  # shellcheck disable=SC2207
  COMPREPLY=($(compgen "$1" -- "$cur"))
}

_weft_program() {
  if declare -F _command_offset >/dev/null; then
    _command_offset "$1"
  elif [ "$COMP_CWORD" -eq "$1" ]; then
    _weft_paths -c
    case $cur in */*) _weft_paths -f ;; esac
  else
    _weft_paths -f
  fi
}

_weft() {
  local cur=${COMP_WORDS[COMP_CWORD]} command='' option='' glue='' given=0 ended='' i=1 word
  COMPREPLY=()
  # What has been given: the command, and how many arguments. Where = parts words, it is a word of its own.
  while [ "$i" -lt "$COMP_CWORD" ]; do
    word=${COMP_WORDS[i]}
    case $ended$word in
      --) ended=yes ;;
      =) i=$((i + 1)) ;;
      -*)
        if [ "${COMP_WORDS[i + 1]}" != '=' ] && _weft_takes_value "$command" "$word"; then
          i=$((i + 1))
          [ "$i" -lt "$COMP_CWORD" ] || option=$word
        fi ;;
      *)
        word=${word#yes}
        if [ "$given" -eq 0 ] && _weft_is_command "${command:+$command }$word"; then
          command=${command:+$command }$word
        else
          given=$((given + 1))
          if _weft_runs_program "$command"; then _weft_program "$i"; return; fi
        fi ;;
    esac
    i=$((i + 1))
  done
  if [ -z "$ended" ]; then
    if [ "$cur" = '=' ]; then
      option=${COMP_WORDS[COMP_CWORD - 1]} cur=''
    elif [ "${COMP_WORDS[COMP_CWORD - 1]}" = '=' ]; then
      option=${COMP_WORDS[COMP_CWORD - 2]}
    else
      case $cur in --*=*) option=${cur%%=*} glue=$option= cur=${cur#*=} ;; esac
    fi
  fi
  if [ -n "$option" ]; then
    _weft_value "$command" "$option"
    [ -z "$glue" ] || COMPREPLY=("${COMPREPLY[@]/#/$glue}")
    return
  fi
  case $ended$cur in
    -*)
      _weft_reply "$(_weft_options "$command")"
      case ${COMPREPLY[0]} in *=) [ "${#COMPREPLY[@]}" -ne 1 ] || compopt -o nospace 2>/dev/null ;; esac ;;
    *)
      if _weft_runs_program "$command"; then
        _weft_program "$COMP_CWORD"
      else
        _weft_argument "$command" "$((given + 1))"
      fi ;;
  esac
}
|}

let name page = String.concat " " page.words

(* The command that completes a value; [more] are further words. [None]: there is nothing to complete. *)
let reply ?(more = []) command (value : value) =
  let words all =
    Some
      (Printf.sprintf "_weft_reply \"%s\"%s" (String.concat " " all) (if value.is_list then " list" else ""))
  in
  match Values.of_value ~command value with
  | Nothing -> if more = [] then None else words more
  | Files -> Some "_weft_paths -f"
  | Folders -> Some "_weft_paths -d"
  | Program -> None
  | Processes ->
      (* Small systems may lack ps. *)
      Some {|_weft_reply "$(ps -A -o pid= 2>/dev/null || { cd /proc 2>/dev/null && echo [0-9]*; })"|}
  | Words all -> words (all @ more)
  | Listed { command; names } ->
      let call = String.concat " " ("_weft_names" :: Values.to_string names :: command) in
      words (Printf.sprintf "$(%s)" call :: more)

(* Joins patterns with the same body, at the place of the first of them. *)
let together branches =
  let add joined (patterns, body) =
    if List.mem_assoc body joined then
      List.map (fun (b, all) -> if String.equal b body then (b, all @ patterns) else (b, all)) joined
    else joined @ [ (body, patterns) ]
  in
  List.fold_left add [] branches

(* A shell function that is a [case] over all its arguments, joined by blanks. *)
let cases name ~otherwise branches =
  let branch (body, patterns) =
    Printf.sprintf "    %s)\n      %s ;;\n" (String.concat " | \\\n      " patterns) body
  in
  Printf.sprintf "\n%s() {\n  case \"$*\" in\n%s    *) %s ;;\n  esac\n}\n" name
    (String.concat "" (List.map branch (together branches)))
    otherwise

let asks name patterns = cases name ~otherwise:"return 1" (List.map (fun p -> ([ p ], "return 0")) patterns)

(* The parts that a page contributes to each shell function. *)

let is_command page = if page.words = [] then [] else [ quoted (name page) ]

let runs_program page =
  let is_program ({ value; _ } : argument) = Values.of_value ~command:page.words value = Program in
  if List.exists is_program page.arguments then [ quoted (name page) ] else []

let keys page (o : option_) = List.map (fun n -> quoted (name page ^ " " ^ n)) o.names

let takes_value page =
  let keys (o : option_) = match o.value with `Required _ -> keys page o | `None | `Optional _ -> [] in
  List.concat_map keys page.options

let value page =
  let one (o : option_) =
    match o.value with
    | `None -> None
    | `Required v | `Optional v -> Option.map (fun body -> (keys page o, body)) (reply page.words v)
  in
  List.filter_map one page.options

let options page =
  let shown (o : option_) =
    let is_long n = String.starts_with ~prefix:"--" n in
    List.map (fun n -> match o.value with `Required _ when is_long n -> n ^ "=" | _ -> n) o.names
  in
  [ ([ quoted (name page) ], "echo " ^ quoted (String.concat " " (List.concat_map shown page.options))) ]

(* Commands are completed at the place of the first argument. *)
let argument pages page =
  let commands = List.map last_word (below pages page) in
  let place i = quoted (Printf.sprintf "%s %d" (name page) (i + 1)) in
  let branch key body = Option.to_list (Option.map (fun body -> ([ key ], body)) body) in
  let one i { value; repeats } =
    branch (place i) (reply ~more:(if i = 0 then commands else []) page.words value)
    @ if repeats then branch (quoted (name page ^ " ") ^ "[0-9]*") (reply page.words value) else []
  in
  match page.arguments with
  | [] -> branch (place 0) (reply ~more:commands page.words { name = ""; is_list = false })
  | arguments -> List.concat (List.mapi one arguments)

let script pages =
  let all f = List.concat_map f pages in
  String.concat ""
    [
      frame;
      asks "_weft_is_command" (all is_command);
      asks "_weft_runs_program" (all runs_program);
      asks "_weft_takes_value" (all takes_value);
      cases "_weft_options" ~otherwise:":" (all options);
      cases "_weft_value" ~otherwise:":" (all value);
      cases "_weft_argument" ~otherwise:":" (all (argument pages));
      "\ncomplete -F _weft weft\n";
    ]
