(* Dune tells tests by this variable where it installs the package; without dune, that is beside the test. *)
let installed =
  match Sys.getenv_opt "OCAMLPATH" with
  | Some path when Text.contains "_build/install" path -> path
  | _ -> Filename.concat (Filename.dirname Sys.executable_name) "../../../install/default/lib"

let weft_in_path () =
  let bin = Filename.concat (Filename.dirname (List.hd (String.split_on_char ':' installed))) "bin" in
  bin ^ ":" ^ Option.value (Sys.getenv_opt "PATH") ~default:"/usr/bin:/bin"

(* Another dune does not start the reader's dune, so its variables are removed. *)
let of_dune name = name = "INSIDE_DUNE" || String.starts_with ~prefix:"DUNE_" name

let run files commands =
  Folder.within "pages" @@ fun folder ->
  let write (name, text) =
    Out_channel.with_open_bin (Filename.concat folder name) (fun out -> output_string out text)
  in
  List.iter write files;
  let script = Printf.sprintf "cd %s\n%s" (Filename.quote folder) (String.concat "\n" commands) in
  let ended =
    Child.run
      ~env:[ ("OCAMLPATH", installed); ("PATH", weft_in_path ()) ]
      ~without:of_dune "bash" [ "-e"; "-u"; "-c"; script ]
  in
  if ended.code <> 0 then
    Alcotest.failf "exit code %d of\n%s\nwhich said\n%s%s" ended.code script ended.out ended.err;
  ended.out
