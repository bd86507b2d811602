(* {1 Names} *)

let is_letter = function 'a' .. 'z' | 'A' .. 'Z' -> true | _ -> false
let may_follow c = is_letter c || match c with '0' .. '9' | '-' | '_' -> true | _ -> false

(* What the generated opam file depends on. A package cannot depend on itself. *)
let dependencies = [ "dune"; "ocaml"; "odoc"; "weft" ]

let check_name name =
  if name = "" || not (is_letter name.[0] && String.for_all may_follow name) then
    Error
      (Printf.sprintf "invalid name %S: use letters of ASCII, digits, - and _, and begin with a letter" name)
  else if List.mem name dependencies then
    Error (Printf.sprintf "invalid name %S: it is that of a package which the project depends on" name)
  else Ok name

(* {1 Files} *)

let filled name text =
  let value = function "NAME" -> name | _version -> Weft_doctor.Build_facts.version in
  let b = Buffer.create 1024 in
  Buffer.add_substitute b value text;
  Buffer.contents b

let write folder name (path, text) =
  let path = Filename.concat folder path in
  let parent = Filename.dirname path in
  if not (Sys.file_exists parent) then Sys.mkdir parent 0o777;
  Out_channel.with_open_bin path (fun out ->
      output_string out (filled name text);
      (* [with_open_bin] does not report what cannot be written when it closes the file. *)
      flush out)

let rec remove path =
  if Sys.is_directory path then begin
    Array.iter (fun entry -> remove (Filename.concat path entry)) (Sys.readdir path);
    Sys.rmdir path
  end
  else Sys.remove path

let make name =
  if Sys.file_exists name then Error (name ^ " is there already")
  else
    match Filename.temp_dir ~temp_dir:"." ~perms:0o777 (name ^ ".") ".tmp" with
    | exception Sys_error reason -> Error ("cannot make a folder here: " ^ reason)
    | temporary -> (
        match
          List.iter (write temporary name) Template.files;
          Sys.rename temporary name
        with
        | () -> Ok ()
        | exception Sys_error reason ->
            (try remove temporary with Sys_error _ -> ());
            Error (Printf.sprintf "cannot make %s: %s" name reason))
