type t = (string * string) list ref

let make () = ref []
let add n what = n := (what, Process.name ()) :: !n
let all n what = List.rev (List.filter_map (fun (w, who) -> if w = what then Some who else None) !n)

let at_most_once n what =
  match all n what with
  | [] -> None
  | [ who ] -> Some who
  | several -> Explore.violate "%s: in %s" what (String.concat " and in " several)

let once n what = match at_most_once n what with Some who -> who | None -> Explore.violate "%s: never" what

let the_one n whats =
  match List.filter (fun what -> at_most_once n what <> None) whats with
  | [ what ] -> what
  | [] -> Explore.violate "%s: never" (String.concat "; " whats)
  | several -> Explore.violate "%s" (String.concat "; and also " several)
