type reason = string * string list
type verdict = Parallel | Sequential | Own | Other of { type_ : string; why : string } | Missing of string
type t = { standard : (string * string * verdict) list; more : Signature.t }

let why reasons name =
  List.find_map (fun (why, names) -> if List.mem name names then Some why else None) reasons

let compare ~standard ~weft ~own ~sequential ~other ~missing =
  let wrong = ref [] in
  let fault format = Printf.ksprintf (fun what -> wrong := what :: !wrong) format in
  let verdict name type_ =
    match List.assoc_opt name weft with
    | None -> (
        match why missing name with
        | Some why -> Missing why
        | None ->
            fault "%s : %s is missing, and nothing says why" name type_;
            Missing "?")
    | Some found when found <> type_ -> (
        match why other name with
        | Some why -> Other { type_ = found; why }
        | None ->
            fault "%s has the type %s, not %s, and nothing says why" name found type_;
            Other { type_ = found; why = "?" })
    | Some _ when List.mem name own -> Own
    | Some _ when List.mem name sequential -> Sequential
    | Some _ -> Parallel
  in
  let all = List.map (fun (name, type_) -> (name, type_, verdict name type_)) standard in
  (* A line that no longer holds is a fault, too. *)
  let must_be what holds name =
    if not (List.exists (fun (n, _, verdict) -> n = name && holds verdict) all) then
      fault "%s is not %s" name what
  in
  let names reasons = List.concat_map snd reasons in
  List.iter (must_be "missing" (function Missing _ -> true | _ -> false)) (names missing);
  List.iter (must_be "of another type" (function Other _ -> true | _ -> false)) (names other);
  List.iter (must_be "of the standard library" (function Own -> true | _ -> false)) own;
  List.iter (must_be "sequential" (function Sequential -> true | _ -> false)) sequential;
  let more = List.filter (fun (name, _) -> not (List.mem_assoc name standard)) weft in
  ({ standard = all; more }, List.rev !wrong)
