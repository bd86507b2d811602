open Cmdliner

let number ~what ~least ?greatest () =
  let taken =
    match greatest with
    | None -> Printf.sprintf "a %s of at least %d" what least
    | Some greatest -> Printf.sprintf "a %s from %d to %d" what least greatest
  in
  let parse text =
    match int_of_string_opt text with
    | Some n when n >= least && n <= Option.value greatest ~default:max_int -> Ok n
    | _ -> Error (Printf.sprintf "'%s' is not %s" text taken)
  in
  Arg.conv' ~docv:"N" (parse, Format.pp_print_int)

let cutoff =
  let number = number ~what:"cutoff" ~least:1 () in
  let parse = function
    | "none" -> Ok None
    | text -> (
        match Arg.conv_parser number text with
        | Ok n -> Ok (Some n)
        | Error (`Msg message) -> Error (message ^ ", nor 'none'"))
  in
  let print ppf = function
    | None -> Format.pp_print_string ppf "none"
    | Some n -> Format.pp_print_int ppf n
  in
  Arg.conv' ~docv:"N" (parse, print)

let named ~what ~name values =
  let parse text =
    match List.find_opt (fun value -> String.equal (name value) text) values with
    | Some value -> Ok value
    | None -> Error (Printf.sprintf "there is no %s '%s' (see --list)" what text)
  in
  Arg.conv' (parse, fun ppf value -> Format.pp_print_string ppf (name value))

let rec repeated show = function
  | [] -> None
  | value :: rest ->
      let text = show value in
      if List.exists (fun other -> String.equal (show other) text) rest then Some text else repeated show rest

let rec parse_all parse = function
  | [] -> Ok []
  | text :: rest -> (
      match parse text with
      | Error (`Msg message) -> Error message
      | Ok value -> Result.map (List.cons value) (parse_all parse rest))

let distinct element =
  let show = Format.asprintf "%a" (Arg.conv_printer element) in
  let parse text =
    match parse_all (Arg.conv_parser element) (String.split_on_char ',' text) with
    | Error message -> Error message
    | Ok values -> (
        match repeated show values with
        | Some text -> Error (Printf.sprintf "'%s' is given twice" text)
        | None -> Ok values)
  in
  Arg.conv' (parse, Arg.conv_printer (Arg.list element))
