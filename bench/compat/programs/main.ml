let usage =
  "usage: list | run NAME DOMAINS [SIZE]\n\
   list: each program with the size to measure, or a dash. run: its result; in the size for tests unless \
   given."

let list () =
  let show (p : All.t) =
    Printf.printf "%s %s\n" p.name (Option.fold p.measured ~none:"-" ~some:string_of_int)
  in
  List.iter show All.all

let run name domains size =
  let p = List.find (fun (p : All.t) -> p.name = name) All.all in
  p.run ~domains:(int_of_string domains)
    ~size:(match size with Some size -> int_of_string size | None -> p.small)

let () =
  match Array.to_list Sys.argv with
  | [ _; "list" ] -> list ()
  | [ _; "run"; name; domains ] -> run name domains None
  | [ _; "run"; name; domains; size ] -> run name domains (Some size)
  | _ ->
      prerr_endline usage;
      exit 2
