type t = (string, unit) Hashtbl.t

(* What the names of modules mean, the innermost first. *)
type meaning =
  | Module of string * string list option  (** it stands for that path; [None]: is one of the program's own *)
  | Opened of string list

type program = {
  known : string -> bool;
  found : t;
  bound : (string, unit) Hashtbl.t;  (** what patterns of the program bind *)
  mutable meanings : meaning list;
}

(* [let*] is none. *)
let is_word name =
  match name.[String.length name - 1] with
  | 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' | '\'' -> true
  | _ -> false

let dotted = String.concat "."
let has program path name = program.known (dotted (path @ [ name ]))

let resolved program path =
  match path with
  | [] -> None
  | first :: rest ->
      let rec among = function
        | Module (name, target) :: _ when name = first -> target
        | Opened path :: _ when has program path first -> Some (path @ [ first ])
        | _ :: others -> among others
        | [] -> Some [ first ]
      in
      Option.map (fun target -> target @ rest) (among program.meanings)

let note program path =
  match List.rev path with
  | [] -> ()
  | value :: modules -> (
      let value = if is_word value then value else "(" ^ value ^ ")" in
      let found path = Hashtbl.replace program.found (dotted (path @ [ value ])) () in
      match List.rev modules with
      | [] when Hashtbl.mem program.bound value -> ()
      | [] ->
          let offers = function Opened path when has program path value -> Some path | _ -> None in
          Option.iter found (List.find_map offers program.meanings)
      | modules -> Option.iter found (resolved program modules))

(* {1 Programs} *)

open Parsetree

let rec path_of program (m : module_expr) =
  match m.pmod_desc with
  | Pmod_ident { txt; _ } -> resolved program (Longident.flatten txt)
  | Pmod_constraint (m, _) -> path_of program m
  | _ -> None

let learn program meaning = program.meanings <- meaning :: program.meanings

let learn_module program name m =
  Option.iter (fun name -> learn program (Module (name, path_of program m))) name

let learn_open program m = Option.iter (fun path -> learn program (Opened path)) (path_of program m)

let iterator program =
  let base = Ast_iterator.default_iterator in
  let scoped f =
    let outside = program.meanings in
    f ();
    program.meanings <- outside
  in
  let expr (it : Ast_iterator.iterator) e =
    scoped @@ fun () ->
    match (Local_module.of_expression e, e.pexp_desc) with
    | Some (name, m, body), _ ->
        it.module_expr it m;
        learn_module program name m;
        it.expr it body
    | None, Pexp_ident { txt; _ } -> note program (Longident.flatten txt)
    | None, Pexp_letop { let_; ands; _ } ->
        List.iter (fun op -> note program [ op.pbop_op.txt ]) (let_ :: ands);
        base.expr it e
    | None, _ -> base.expr it e
  and module_expr (it : Ast_iterator.iterator) m =
    match m.pmod_desc with
    | Pmod_functor (Named ({ txt = Some name; _ }, _), _) ->
        scoped (fun () ->
            learn program (Module (name, None));
            base.module_expr it m)
    | _ -> base.module_expr it m
  and module_binding (it : Ast_iterator.iterator) binding =
    base.module_binding it binding;
    learn_module program binding.pmb_name.txt binding.pmb_expr
  and open_declaration (it : Ast_iterator.iterator) o =
    base.open_declaration it o;
    learn_open program o.popen_expr
  and include_declaration (it : Ast_iterator.iterator) i =
    base.include_declaration it i;
    learn_open program i.pincl_mod
  and structure (it : Ast_iterator.iterator) items = scoped (fun () -> base.structure it items) in
  { base with expr; module_expr; module_binding; open_declaration; include_declaration; structure }

let note_bound bound =
  let base = Ast_iterator.default_iterator in
  let pat (it : Ast_iterator.iterator) p =
    (match p.ppat_desc with
    | Ppat_var { txt; _ } | Ppat_alias (_, { txt; _ }) -> Hashtbl.replace bound txt ()
    | _ -> ());
    base.pat it p
  in
  { base with pat }

let parsed path =
  let lexbuf = Lexing.from_string (Files.read path) in
  match Parse.implementation lexbuf with
  | items -> items
  | exception _ -> raise (Sys_error (Printf.sprintf "%s: line %d: not OCaml" path lexbuf.lex_curr_p.pos_lnum))

let note_program ~known found path =
  let items = parsed path in
  let program = { known; found; bound = Hashtbl.create 64; meanings = [] } in
  let bound = note_bound program.bound and all = iterator program in
  bound.structure bound items;
  all.structure all items

let read ~known folder =
  let found = Hashtbl.create 2_000 in
  List.iter
    (fun path -> if Filename.check_suffix path ".ml" then note_program ~known found path)
    (Files.below folder);
  found

let shows found name = Hashtbl.mem found name
