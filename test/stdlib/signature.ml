open Types
module Public_functions = Testing_public.Public_functions

type t = (string * string) list

(* As a program writes it: [Stdlib__Seq.t] and [Stdlib.Seq.t] are one type, and Weft's own modules have other
   names inside. *)
let plain name =
  let name = if name = "Weft__.Task_random.t" then "Weft.Random.t" else name in
  let name = String.concat "." (Str.split (Str.regexp "__\\|\\.") name) in
  if String.starts_with ~prefix:"Stdlib." name then String.sub name 7 (String.length name - 7) else name

(* The parts of a type, whatever they are called in this version of the compiler. *)
let parts ty = List.rev (Btype.fold_type_expr (fun parts part -> part :: parts) [] ty)

(* What a type needs parentheses in: the left of an arrow, a product, an application. *)
type place = Alone | Left | In_product | Argument

let in_parentheses needed text = if needed then "(" ^ text ^ ")" else text

let text ~own ~shown ty =
  let variables = Hashtbl.create 5 in
  let variable id =
    match Hashtbl.find_opt variables id with
    | Some name -> name
    | None ->
        let name = Printf.sprintf "'%c" (Char.chr (Char.code 'a' + Hashtbl.length variables)) in
        Hashtbl.add variables id name;
        name
  in
  let rec write place ty =
    match get_desc ty with
    | Tvar _ | Tunivar _ -> variable (get_id ty)
    | Tpoly (ty, _) -> write place ty
    | Tarrow (label, argument, result, _) ->
        let argument =
          match label with
          | Nolabel -> write Left argument
          | Labelled l -> l ^ ":" ^ write Left argument
          | Optional l -> "?" ^ l ^ ":" ^ write Left (List.hd (parts argument))
        in
        in_parentheses (place <> Alone) (argument ^ " -> " ^ write Alone result)
    | Ttuple _ ->
        let of_parts = List.map (write In_product) (parts ty) in
        in_parentheses (place = In_product || place = Argument) (String.concat " * " of_parts)
    | Tconstr (path, arguments, _) -> (
        let name = plain (Path.name path) in
        let name = if List.mem name own then shown else name in
        match List.map (write (if List.length arguments = 1 then Argument else Alone)) arguments with
        | [] -> name
        | [ argument ] -> argument ^ " " ^ name
        | arguments -> "(" ^ String.concat ", " arguments ^ ") " ^ name)
    | _ -> failwith "a kind of type that no collection has"
  in
  write Alone ty

let read ~own ~shown path =
  List.map (fun (name, ty) -> (name, text ~own ~shown ty)) (Public_functions.values path)
