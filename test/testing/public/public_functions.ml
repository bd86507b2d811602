open Types

type argument = { label : string; may_be_absurd : bool }
type t = { name : string; arguments : argument list }

(* --- where compiled interfaces are --- *)

let rec compiled folder =
  Sys.readdir folder |> Array.to_list
  |> List.concat_map (fun name ->
         let path = Filename.concat folder name in
         if not (Sys.is_directory path) then [] else if name = "byte" then [ path ] else compiled path)

(* The folder is in dune's build folder, above the program. *)
let libraries =
  lazy
    (let rec above folder =
       let lib = Filename.concat folder "lib" in
       if Sys.file_exists (Filename.concat lib "weft/.weft.objs") then lib
       else if Filename.dirname folder = folder then failwith "the compiled interfaces are not there"
       else above (Filename.dirname folder)
     in
     let program = Sys.executable_name in
     let program =
       if Filename.is_relative program then Filename.concat (Sys.getcwd ()) program else program
     in
     compiled (above (Filename.dirname program)))

let environment =
  lazy
    (let visible = Config.standard_library :: Lazy.force libraries in
     Load_path.init ~auto_include:Load_path.no_auto_include ~visible ~hidden:[];
     Compmisc.initial_env ())

(* --- types --- *)

let plain =
  [ "int"; "int32"; "int64"; "nativeint"; "float"; "string"; "bytes"; "list"; "array"; "floatarray" ]

let is_bigarray name = String.starts_with ~prefix:"Stdlib__Bigarray.Array" name

let rec may_be_absurd env ty =
  let ty = Ctype.expand_head env ty in
  match get_desc ty with
  | Tconstr (path, arguments, _) ->
      let name = Path.name path in
      List.mem name plain || is_bigarray name || (name = "option" && List.exists (may_be_absurd env) arguments)
  | Ttuple _ ->
      let found = ref false in
      Btype.iter_type_expr (fun part -> if may_be_absurd env part then found := true) ty;
      !found
  | Tvariant row ->
      List.exists
        (fun (_, field) ->
          match row_field_repr field with
          | Rpresent (Some ty) -> may_be_absurd env ty
          | Rpresent None | Reither _ | Rabsent -> false)
        (row_fields row)
  | _ -> false

let rec arguments env ty =
  match get_desc (Ctype.expand_head env ty) with
  | Tarrow (label, argument, result, _) ->
      let label = match label with Nolabel -> "" | Labelled l | Optional l -> l in
      { label; may_be_absurd = may_be_absurd env argument } :: arguments env result
  | _ -> []

(* --- modules --- *)

let rec resolved env ty =
  match Mtype.scrape env ty with
  | Mty_alias path -> resolved env (Env.find_module path env).md_type
  | ty -> ty

let values path =
  let env = Lazy.force environment in
  let name = Option.get (Longident.unflatten (String.split_on_char '.' path)) in
  let public = function Sig_value (id, { val_type; _ }, _) -> Some (Ident.name id, val_type) | _ -> None in
  match resolved env (snd (Env.find_module_by_name name env)).md_type with
  | Mty_signature items -> List.filter_map public items
  | _ -> failwith ("no signature of " ^ path)

let is_silent name = name = "Make" || name = "Make_generic"

let of_library ?(except = []) library =
  let env = Lazy.force environment in
  let found = Hashtbl.create 100 and left_out = Hashtbl.create 10 in
  let dot path name = if is_silent name then path else path ^ "." ^ name in
  let rec go env path ty =
    if List.mem path except then Hashtbl.replace left_out path ()
    else
      match resolved env ty with
      | Mty_signature items ->
          let env = Env.add_signature items env in
          List.iter (item env path) items
      | Mty_functor (Named (Some id, parameter), ty) ->
          go (Env.add_module id Mp_present parameter env) path ty
      | Mty_functor ((Unit | Named (None, _)), ty) -> go env path ty
      | Mty_ident _ | Mty_alias _ -> failwith ("no signature of " ^ path)
  and item env path = function
    | Sig_value (id, { val_type; _ }, _) -> (
        match arguments env val_type with
        | [] -> ()
        | arguments -> Hashtbl.replace found (dot path (Ident.name id)) arguments)
    | Sig_module (id, _, { md_type; _ }, _, _) when Ident.name id <> "Private" ->
        go env (dot path (Ident.name id)) md_type
    | _ -> ()
  in
  go env library (Env.find_module (Pident (Ident.create_persistent library)) env).md_type;
  List.iter (fun path -> if not (Hashtbl.mem left_out path) then failwith ("no module " ^ path)) except;
  Hashtbl.fold (fun name arguments all -> { name; arguments } :: all) found [] |> List.sort compare
