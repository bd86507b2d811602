type t = { line : int -> string option; known : (int, Event.fiber) Hashtbl.t }

let create ?(line = fun _ -> None) () = { line; known = Hashtbl.create 256 }
let line t place = if place = 0 then None else t.line place

let note t fiber ~parent ~name ~place =
  match Hashtbl.find_opt t.known fiber with
  | Some known when String.equal known.name name -> ()
  | _ -> Hashtbl.replace t.known fiber { fiber; parent; name; at = line t place }

let suggest t fiber line =
  match Hashtbl.find_opt t.known fiber with
  | Some ({ at = None; _ } as known) when Option.is_some line ->
      Hashtbl.replace t.known fiber { known with at = line }
  | _ -> ()

let all t = List.sort compare (Hashtbl.fold (fun _ fiber all -> fiber :: all) t.known [])
