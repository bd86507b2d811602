type t = {
  most : int;
  find_line : int -> string option;
  lines : (int, string option) Hashtbl.t; (* of the places that have come *)
  known : (int, Event.fiber) Hashtbl.t;
  in_order : int Queue.t; (* those in [known], the first first *)
}

let most_by_default = 200_000

let create ?(most = most_by_default) ?(line = fun _ -> None) () =
  {
    most;
    find_line = line;
    lines = Hashtbl.create 64;
    known = Hashtbl.create 256;
    in_order = Queue.create ();
  }

let new_line t place =
  let line = t.find_line place in
  Hashtbl.add t.lines place line;
  line

let line t place =
  if place = 0 then None
  else match Hashtbl.find_opt t.lines place with Some line -> line | None -> new_line t place

let add t fiber =
  Hashtbl.add t.known fiber.Event.fiber fiber;
  Queue.add fiber.fiber t.in_order;
  if Queue.length t.in_order > t.most then Hashtbl.remove t.known (Queue.take t.in_order)

let note t fiber ~parent ~name ~place =
  match Hashtbl.find_opt t.known fiber with
  | Some known when String.equal known.name name -> ()
  | known ->
      let told = { Event.fiber; parent; name; at = line t place } in
      if Option.is_some known then Hashtbl.replace t.known fiber told else add t told

let suggest t fiber line =
  match Hashtbl.find_opt t.known fiber with
  | Some ({ at = None; _ } as known) when Option.is_some line ->
      Hashtbl.replace t.known fiber { known with at = line }
  | _ -> ()

let all t = List.sort compare (Hashtbl.fold (fun _ fiber all -> fiber :: all) t.known [])
