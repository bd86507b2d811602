let head =
  {|# The standard library's functions in Weft

`test/stdlib` makes this page from the compiled interfaces and checks it: `dune build @runtest
--auto-promote` writes it anew. The types are those of OCaml 5.3.

The last column says what Weft's function is. All but those whose type is given have the type of the
standard library.

- *Parallel*: it calls the user's function, or moves the elements, in parallel.
- *One fiber*: Weft's own code, in the calling fiber alone.
- *OCaml's*: the function of the standard library itself.
- A type: the type in Weft, where it differs.
- A dash: Weft has no such function.

Functions of the same type have the same meaning, with three differences: the order of calls, the
exception that is raised if several calls fail, and the messages of `Invalid_argument`. Where two
lengths must be equal, they are compared before the first call.
|}

let cell (verdict : Comparison.verdict) =
  match verdict with
  | Parallel -> "parallel"
  | Sequential -> "one fiber"
  | Own -> "OCaml's"
  | Other { type_; why } -> Printf.sprintf "`%s`: %s" type_ why
  | Missing why -> "-: " ^ why

let count holds (c : Comparison.t) = List.length (List.filter (fun (_, _, v) -> holds v) c.standard)

let of_module (m : Modules.t) =
  let there = count (function Comparison.Other _ | Missing _ -> false | _ -> true) m.comparison in
  let line (name, type_, verdict) = Printf.sprintf "| `%s` | `%s` | %s |" name type_ (cell verdict) in
  let more (name, type_) = Printf.sprintf "| `%s` | `%s` |" name type_ in
  let after prefix text =
    String.sub text (String.length prefix) (String.length text - String.length prefix)
  in
  String.concat "\n"
    ([
       "";
       Printf.sprintf "## %s" m.title;
       "";
       Printf.sprintf "Of the %d functions of `%s`, %d have the same type here."
         (List.length m.comparison.standard) (after "Stdlib." m.standard) there;
       "";
       Printf.sprintf "| `%s` | type | `%s` |" (after "Stdlib." m.standard) m.title;
       "| --- | --- | --- |";
     ]
    @ List.map line m.comparison.standard
    @ [ ""; Printf.sprintf "Only in `%s`:" m.title; ""; "| function | type |"; "| --- | --- |" ]
    @ List.map more m.comparison.more @ [ "" ])

let text modules = head ^ String.concat "" (List.map of_module modules)
