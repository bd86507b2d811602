open Testing

let here = Filename.dirname Sys.executable_name
let program name = Filename.concat here name
let weft = Filename.concat here "../../bin/main.exe"

let in_folder f =
  let dir = Filename.temp_dir "weft-test-trace-" "" in
  let rec remove dir =
    Array.iter
      (fun name ->
        let path = Filename.concat dir name in
        try if Sys.is_directory path then remove path else Sys.remove path with Sys_error _ -> ())
      (Sys.readdir dir);
    Sys.rmdir dir
  in
  Fun.protect ~finally:(fun () -> remove dir) (fun () -> f dir)

let start ?environment ?(program = weft) arguments = Child.start ?env:environment program arguments
let run ?environment arguments = Child.run ?env:environment weft arguments
