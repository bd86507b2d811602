type kind = Dune | Dune_project | Opam | Opam_lock | Makefile | Ocaml
type file = { path : string; kind : kind }
type left_out = { path : string; why : string }
type t = { files : file list; left_out : left_out list; trouble : left_out list }

let greatest = 4 * 1024 * 1024
let empty = { files = []; left_out = []; trouble = [] }
let leave t path why = { t with left_out = { path; why } :: t.left_out }
let fail t path why = { t with trouble = { path; why } :: t.trouble }

(* --- one entry --- *)

let kind_of name =
  let ends suffix = Filename.check_suffix name suffix in
  if name = "dune" || name = "dune.inc" then Some Dune
  else if name = "dune-project" then Some Dune_project
  else if name = "opam" || ends ".opam" || ends ".opam.template" then Some Opam
  else if ends ".opam.locked" || name = "opam.locked" then Some Opam_lock
  else if List.mem name [ "Makefile"; "makefile"; "GNUmakefile" ] || ends ".mk" then Some Makefile
  else if name = ".ocamlinit" || List.exists ends [ ".ml"; ".mli"; ".mll"; ".mly" ] then Some Ocaml
  else None

let is_entered name =
  (not (String.starts_with ~prefix:"_" name || String.starts_with ~prefix:"." name)) && name <> "node_modules"

let is_vendors name = List.mem name [ "vendor"; "vendored"; "duniverse" ]
let reason (error, _, _) = Unix.error_message error
let within root path = if path = "" then root else Filename.concat root path
let join folder name = if folder = "" then name else folder ^ "/" ^ name

(* Of a file that grows meanwhile, what it had at first; never from a pipe or device. *)
let text root (file : file) =
  match
    let fd = Unix.openfile (within root file.path) [ O_RDONLY; O_CLOEXEC; O_NONBLOCK; O_NOCTTY ] 0 in
    Fun.protect ~finally:(fun () -> Unix.close fd) @@ fun () ->
    let size = Int.min greatest (Unix.fstat fd).st_size in
    let bytes = Bytes.create size in
    let rec fill at =
      match Unix.read fd bytes at (size - at) with
      | 0 -> at
      | n -> if at + n < size then fill (at + n) else at + n
    in
    if size = 0 then "" else Bytes.sub_string bytes 0 (fill 0)
  with
  | text -> Ok text
  | exception Unix.Unix_error (e, a, b) -> Error (reason (e, a, b))

(* What cannot be read, whoever looks at the file itself will tell. *)
let parsed root file =
  match Option.map Sexp.read (Result.to_option (text root file)) with Some (Ok sexps) -> sexps | _ -> []

(* --- the walk --- *)

let add_file root t path kind =
  match Unix.lstat (within root path) with
  | exception Unix.Unix_error (e, a, b) -> fail t path (reason (e, a, b))
  | { st_kind = S_LNK; _ } -> if kind = Ocaml then t else leave t path "a symbolic link"
  | { st_kind = S_REG; st_size; _ } when st_size > greatest -> leave t path "larger than 4 MiB"
  | { st_kind = S_REG; _ } -> { t with files = { path; kind } :: t.files }
  | _ -> t

let entries root folder =
  match Sys.readdir (within root folder) with
  | names ->
      Array.sort String.compare names;
      Ok (Array.to_list names)
  | exception Sys_error message ->
      (* "PATH: REASON" *)
      Error (List.fold_left (fun _ part -> part) message (String.split_on_char ':' message) |> String.trim)

let is_folder root path =
  match Unix.lstat (within root path) with
  | { st_kind = S_DIR; _ } -> true
  | _ | (exception Unix.Unix_error _) -> false

(* A list of what is still to be looked at, instead of the stack: folders may be deep. *)
let rec walk root t = function
  | [] -> t
  | folder :: others -> (
      match entries root folder with
      | Error _ when folder <> "" && not (is_folder root folder) -> walk root t others
      | Error message -> walk root (fail t folder message) others
      | Ok names ->
          let files, folders = List.partition (fun name -> not (is_folder root (join folder name))) names in
          let before = t in
          let add t name =
            match kind_of name with Some kind -> add_file root t (join folder name) kind | None -> t
          in
          let t = List.fold_left add t files in
          let sexps name =
            if List.mem name files then parsed root { path = join folder name; kind = Dune } else []
          in
          if folder <> "" && Dune_project.is_domainslib (sexps "dune-project") then
            walk root (leave before folder "a copy of domainslib itself") others
          else
            let is_foreign = Dune_file.foreign_folders (sexps "dune") in
            let choose (t, inside) name =
              let path = join folder name in
              if not (is_entered name) then (t, inside)
              else if is_foreign name || is_vendors name then (leave t path "not the project's own", inside)
              else (t, path :: inside)
            in
            let t, inside = List.fold_left choose (t, []) folders in
            walk root t (List.rev_append inside others))

(* --- files that dune files include --- *)

let is_inside path = Filename.is_relative path && not (List.mem ".." (String.split_on_char '/' path))

let add_included root t =
  let included (f : file) =
    if f.kind <> Dune then []
    else
      let folder = match Filename.dirname f.path with "." -> "" | folder -> folder in
      List.map (join folder) (List.filter is_inside (Dune_file.includes (parsed root f)))
  in
  let known = Hashtbl.create 64 in
  List.iter (fun (f : file) -> Hashtbl.replace known f.path ()) t.files;
  let add t path =
    let is_known = Hashtbl.mem known path in
    Hashtbl.replace known path ();
    if is_known || not (Sys.file_exists (within root path)) then t else add_file root t path Dune
  in
  List.fold_left add t (List.concat_map included t.files)

let by_path t =
  let files = List.sort (fun (a : file) (b : file) -> String.compare a.path b.path) t.files in
  { files; left_out = List.rev t.left_out; trouble = List.rev t.trouble }

let read root =
  match (Unix.stat root).st_kind with
  | exception Unix.Unix_error (e, a, b) -> Error (reason (e, a, b))
  | S_DIR -> (
      match entries root "" with
      | Error message -> Error message
      | Ok _ ->
          let t = by_path (add_included root (walk root empty [ "" ])) in
          if List.exists (fun (f : file) -> f.kind = Dune_project) t.files then Ok t
          else Error "no dune project found: there is no file dune-project in it or below")
  | _ -> Error "it is not a folder"
