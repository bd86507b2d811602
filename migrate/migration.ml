type change = { line : int; from : string; by : string }
type changed = { path : string; before : string; after : string; diff : string; changes : change list }
type note = { path : string; line : int; needed : bool; what : string; advice : string }

type t = {
  root : string;
  changed : changed list;
  notes : note list;
  left_out : Project.left_out list;
  trouble : Project.left_out list;
}

(* --- one file --- *)

type looked = Found of Finding.t | Left_out of string | Not_understood of string

let mentions part text =
  let n = String.length part in
  let rec at i =
    match String.index_from_opt text i part.[0] with
    | Some i -> i + n <= String.length text && (String.sub text i n = part || at (i + 1))
    | None -> false
  in
  at 0

let look_at_sexps text look =
  match Sexp.read text with
  | Ok sexps -> Found (look sexps)
  | Error { at; message } -> Not_understood (Printf.sprintf "line %d: %s" (Edit.lines text at) message)

(* Files without the word need not be understood. *)
let look ~in_use (kind : Project.kind) text =
  match kind with
  | Ocaml -> Found (Ocaml_source.look ~in_use text)
  | (Dune | Dune_project | Opam | Opam_lock | Makefile) when not (mentions Finding.old_name text) ->
      Found Finding.nothing
  | Dune when Dune_file.is_ocaml text -> Found (Word.noted Advice.in_ocaml text)
  | Makefile -> Found (Word.noted Advice.in_makefile text)
  | Opam_lock -> Found (Word.noted Advice.in_lock text)
  | Dune -> look_at_sexps text Dune_file.look
  | Dune_project -> look_at_sexps text (Dune_project.look ~text)
  | Opam when Opam_file.is_generated text -> (
      match (Opam_file.look text).edits with
      | [] -> Found Finding.nothing
      | _ -> Left_out "generated: dune build writes it anew from dune-project")
  | Opam -> Found (Opam_file.look text)

let changed path before (edits : Edit.t list) =
  let edits = List.sort (fun (a : Edit.t) (b : Edit.t) -> Int.compare a.span.start b.span.start) edits in
  let line = Edit.lines before in
  let change ({ span = { start; stop }; by } : Edit.t) =
    { line = line start; from = String.sub before start (stop - start); by }
  in
  let changes = List.map change edits in
  { path; before; after = Edit.apply before edits; diff = Edit.diff ~path before edits; changes }

let notes path text (found : Finding.note list) =
  let line = Edit.lines text in
  let note ({ at; needed; what; advice } : Finding.note) = { path; line = line at; needed; what; advice } in
  List.map note (List.sort (fun (a : Finding.note) b -> Int.compare a.at b.at) found)

(* --- all --- *)

(* Whether a file that the compiler or dune reads has the word, as a library or as a module. *)
let is_in_use root (files : Project.file list) =
  List.exists
    (fun (file : Project.file) ->
      match Project.text root file with Ok text -> mentions "omainslib" text | Error _ -> false)
    files

let add ~in_use root t (file : Project.file) =
  let { Project.path; kind } = file in
  let trouble why = { t with trouble = { Project.path; why } :: t.trouble } in
  match Project.text root file with
  | Error why -> trouble why
  | Ok text -> (
      match look ~in_use kind text with
      | Not_understood why -> trouble why
      | Left_out why -> { t with left_out = { path; why } :: t.left_out }
      | Found { edits; notes = found } ->
          let t = if edits = [] then t else { t with changed = changed path text edits :: t.changed } in
          { t with notes = List.rev_append (notes path text found) t.notes })

let find root =
  Result.map
    (fun (project : Project.t) ->
      let none = { root; changed = []; notes = []; left_out = []; trouble = [] } in
      let in_use = is_in_use root project.files in
      let t = List.fold_left (add ~in_use root) none project.files in
      {
        t with
        changed = List.rev t.changed;
        notes = List.rev t.notes;
        left_out = project.left_out @ List.rev t.left_out;
        trouble = project.trouble @ List.rev t.trouble;
      })
    (Project.read root)

let write t =
  let write (c : changed) =
    match Replacement.write (Filename.concat t.root c.path) ~before:c.before c.after with
    | Ok () -> Either.Left c
    | Error why -> Right { Project.path = c.path; why = "not written: " ^ why }
  in
  let changed, trouble = List.partition_map write t.changed in
  { t with changed; trouble = t.trouble @ trouble }
