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
    | "none" | "default" -> Ok None
    | text -> (
        match Arg.conv_parser number text with
        | Ok n -> Ok (Some n)
        | Error (`Msg _) -> Error (Printf.sprintf "'%s' is not 'default', 'none' or a number from 1" text))
  in
  let print ppf = function
    | None -> Format.pp_print_string ppf "default"
    | Some n -> Format.pp_print_int ppf n
  in
  Arg.conv' ~docv:"N" (parse, print)

let named ?(why_not = fun _ -> None) ~what ~name values =
  let parse text =
    match List.find_opt (fun value -> String.equal (name value) text) values with
    | Some value -> Ok value
    | None -> (
        match why_not text with
        | Some reason -> Error (Printf.sprintf "the %s '%s' is missing: %s" what text reason)
        | None -> Error (Printf.sprintf "there is no %s '%s' (see --list)" what text))
  in
  Arg.conv' (parse, fun ppf value -> Format.pp_print_string ppf (name value))

let one_of ~what values =
  let names = List.map fst values in
  let parse text =
    match List.assoc_opt text values with
    | Some value -> Ok (text, value)
    | None -> Error (Printf.sprintf "'%s' is no %s: choose from %s" text what (String.concat ", " names))
  in
  Arg.conv' (parse, fun ppf (name, _) -> Format.pp_print_string ppf name)

let rec repeated same = function
  | [] -> None
  | value :: rest -> (
      match List.find_opt (same value) rest with
      | Some other -> Some (value, other)
      | None -> repeated same rest)

let rec parse_all parse = function
  | [] -> Ok []
  | text :: rest -> (
      match parse text with
      | Error (`Msg message) -> Error message
      | Ok value -> Result.map (List.cons value) (parse_all parse rest))

(* Two texts may mean the same value, such as '4' and '04': the message quotes what was given. *)
let distinct element =
  let show = Format.asprintf "%a" (Arg.conv_printer element) in
  let parse text =
    let texts = String.split_on_char ',' text in
    let same (a, _) (b, _) = String.equal (show a) (show b) in
    match parse_all (Arg.conv_parser element) texts with
    | Error message -> Error message
    | Ok values -> (
        match repeated same (List.combine values texts) with
        | Some ((_, text), (_, other)) when String.equal text other ->
            Error (Printf.sprintf "'%s' is given twice" text)
        | Some ((_, text), (_, other)) -> Error (Printf.sprintf "'%s' and '%s' are the same" text other)
        | None -> Ok values)
  in
  Arg.conv' (parse, Arg.conv_printer (Arg.list element))

(* {1 Numbers of domains} *)

type domains = Number of int | Times of int

let most_domains = Weft_platform.Machine.max_domains

let domains =
  let wrong text =
    Printf.sprintf
      "'%s' is not a number of domains from 1 to %d, nor a multiple of the processors such as '2x'" text
      most_domains
  in
  let parse text =
    let n = String.length text in
    let times = if n > 1 && text.[n - 1] = 'x' then int_of_string_opt (String.sub text 0 (n - 1)) else None in
    match (int_of_string_opt text, times) with
    | Some d, _ when d >= 1 && d <= most_domains -> Ok (Number d)
    | None, Some k when k >= 1 && k <= most_domains -> Ok (Times k)
    | _ -> Error (wrong text)
  in
  let print ppf = function Number d -> Format.pp_print_int ppf d | Times k -> Format.fprintf ppf "%dx" k in
  Arg.conv' ~docv:"N" (parse, print)

let number_of_domains ~processors = function
  | Number d -> Ok d
  | Times k when k * processors <= most_domains -> Ok (k * processors)
  | Times k ->
      Error
        (Printf.sprintf "option '--domains': '%dx' are %d domains here, and OCaml has %d at most" k
           (k * processors) most_domains)

let all_domains ~processors chosen =
  let add numbers one =
    Result.bind numbers (fun numbers ->
        Result.map
          (fun d -> if List.mem d numbers then numbers else numbers @ [ d ])
          (number_of_domains ~processors one))
  in
  List.fold_left add (Ok []) chosen

let sweep_of_domains ~processors =
  let rec doubled d = if d < processors then d :: doubled (2 * d) else [] in
  List.filter (fun d -> d <= most_domains) (doubled 1 @ [ processors; 2 * processors; 4 * processors ])
