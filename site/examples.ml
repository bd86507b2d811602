type t = (string, unit) Hashtbl.t

let is_part c = match c with 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' | '\'' -> true | _ -> false

let is_sign c =
  match c with
  | '>' | '<' | '=' | '+' | '-' | '*' | '/' | '|' | '&' | '@' | '^' | '$' | '!' | '?' | '~' | '%' -> true
  | _ -> false

(* All pairs [Module.name] of a program, also of names in [Module.(...)]; and its operators. *)
let note found text =
  let n = String.length text in
  let stretch p from =
    let rec go i = if i < n && p text.[i] then go (i + 1) else i in
    String.sub text from (go from - from)
  in
  (* [depth]: of brackets; [opened]: modules whose names count, each with the depth of its bracket. *)
  let rec go ~depth ~opened previous i =
    if i < n then
      if is_part text.[i] then begin
        let w = stretch is_part i in
        let next = i + String.length w in
        let modules = match previous with Some m -> [ m ] | None -> List.map fst opened in
        List.iter (fun m -> Hashtbl.replace found (m ^ "." ^ w) ()) modules;
        if next < n && text.[next] = '.' then go ~depth ~opened (Some w) (next + 1)
        else go ~depth ~opened None next
      end
      else
        match text.[i] with
        | '(' ->
            let opened = match previous with Some m -> (m, depth) :: opened | None -> opened in
            go ~depth:(depth + 1) ~opened None (i + 1)
        | ')' ->
            let depth = depth - 1 in
            go ~depth ~opened:(List.filter (fun (_, outer) -> outer < depth) opened) None (i + 1)
        | _ ->
            let operator = stretch is_sign i in
            if operator <> "" then Hashtbl.replace found operator ();
            go ~depth ~opened None (i + max 1 (String.length operator))
  in
  go ~depth:0 ~opened:[] None 0

let read folder =
  let found = Hashtbl.create 2_000 in
  List.iter
    (fun path -> if Filename.check_suffix path ".ml" then note found (Files.read path))
    (Files.below folder);
  found

let shows found name =
  match List.rev (String.split_on_char '.' name) with
  | f :: _ when String.starts_with ~prefix:"(" f -> Hashtbl.mem found (String.sub f 1 (String.length f - 2))
  | f :: m :: _ -> Hashtbl.mem found (m ^ "." ^ f)
  | _ -> false
