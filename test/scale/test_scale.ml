(* A name without a folder would be looked up in PATH. *)
let program i =
  let path = Sys.argv.(i) in
  if Filename.is_implicit path then Filename.concat Filename.current_dir_name path else path

let () =
  Commands.weft := program 1;
  Commands.subject := program 2;
  Commands.foreign := program 3;
  Commands.only_par := program 4;
  Alcotest.run "scale"
    ~argv:(Array.append [| Sys.argv.(0) |] (Array.sub Sys.argv 5 (Array.length Sys.argv - 5)))
    [ ("schedules", Schedules.tests); ("files", Files.tests); ("commands", Commands.tests) ]
