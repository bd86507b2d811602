type t = { root : string; wanted : (string, unit) Hashtbl.t }

let create ~root = { root; wanted = Hashtbl.create 64 }

(* Whose text is worth a page; the rest of a folder is left out. *)
let is_text path =
  List.mem (Filename.extension path)
    [ ".ml"; ".mli"; ".mll"; ".mly"; ".c"; ".h"; ".md"; ".mld"; ".pml"; ".sh"; ".js"; ".opam" ]
  || List.mem (Filename.basename path)
       [ "dune"; "dune-project"; "Makefile"; "setup"; "test"; "rivals"; "screenshots" ]

let place path = "sources/" ^ path ^ ".html"

let address sources path =
  let path = Files.normal path in
  if path <> "" && Sys.file_exists (Filename.concat sources.root path) then begin
    Hashtbl.replace sources.wanted path ();
    Some (place path)
  end
  else None

let is_hidden name = name = "" || name.[0] = '.' || name.[0] = '_'

let rec write_one sources ~out ~written path =
  if not (Hashtbl.mem written path) then begin
    Hashtbl.add written path ();
    let full = Filename.concat sources.root path in
    let output = place path in
    if Sys.is_directory full then begin
      let names =
        List.filter
          (fun name -> not (is_hidden name))
          (List.sort String.compare (Array.to_list (Sys.readdir full)))
      in
      let inside = List.map (fun name -> (name, path ^ "/" ^ name)) names in
      let shown =
        List.filter
          (fun (_, path) -> Sys.is_directory (Filename.concat sources.root path) || is_text path)
          inside
      in
      List.iter (fun (_, path) -> write_one sources ~out ~written path) shown;
      let entries = List.map (fun (name, path) -> (name, place path)) shown in
      Files.write (Filename.concat out output) (Frame.folder ~output ~path entries)
    end
    else Files.write (Filename.concat out output) (Frame.source ~output ~path (Files.read full))
  end

let write sources ~out =
  let written = Hashtbl.create 64 in
  let wanted = List.sort String.compare (Hashtbl.fold (fun path () all -> path :: all) sources.wanted []) in
  List.iter (write_one sources ~out ~written) wanted
