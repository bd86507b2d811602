type expected = Refused | Fails of (exn -> bool) | Right
type row = { name : string; expected : expected; call : unit -> bool }

let made expected name f =
  {
    name;
    expected;
    call =
      (fun () ->
        ignore (Sys.opaque_identity (f ()));
        true);
  }

let refused name f = made Refused name f
let fails name like f = made (Fails like) name f
let right name f = { name; expected = Right; call = f }
let under path rows = List.map (fun row -> { row with name = path ^ "." ^ row.name }) rows
let has_row name row = row.name = name

let wrong { name; expected; call } =
  match (expected, call ()) with
  | Right, true -> None
  | Right, false -> Some (name ^ ": a wrong answer")
  | (Refused | Fails _), _ -> Some (name ^ ": nothing was raised")
  | exception exn -> (
      match (expected, exn) with
      | Refused, Invalid_argument message when String.starts_with ~prefix:(name ^ ": ") message -> None
      | Fails like, exn when like exn -> None
      | _ -> Some (Printf.sprintf "%s: %s" name (Printexc.to_string exn)))

let check rows =
  Alcotest.(check (list string)) "wrong" [] (List.sort_uniq compare (List.filter_map wrong rows))

let each_of modules functions = List.concat_map (fun m -> List.map (fun f -> m ^ "." ^ f) functions) modules
let may_be_absurd (a : Public_functions.argument) = a.may_be_absurd

let check_complete (functions : Public_functions.t list) rows exceptions =
  let known = List.map (fun (f : Public_functions.t) -> f.name) functions in
  let in_rows = List.sort_uniq compare (List.map (fun r -> r.name) rows) in
  let excepted = List.concat_map snd exceptions in
  let missing =
    List.filter_map
      (fun (f : Public_functions.t) ->
        if List.exists may_be_absurd f.arguments && not (List.mem f.name in_rows || List.mem f.name excepted)
        then Some (f.name ^ " has no row")
        else None)
      functions
  and unknown = List.filter (fun name -> not (List.mem name known)) (in_rows @ excepted)
  and twice = List.filter (fun name -> List.mem name in_rows) excepted in
  Alcotest.(check (list string)) "without a row" [] missing;
  Alcotest.(check (list string)) "no public function" [] unknown;
  Alcotest.(check (list string)) "an exception that has a row" [] twice
