open Span_session

let rec around name place =
  if String.equal place.name name && Option.is_some place.parent then Some place
  else Option.bind place.parent (around name)

let inside session name parent =
  Mutex.protect session.lock @@ fun () ->
  match Hashtbl.find_opt parent.inside name with
  | Some p -> p
  | None ->
      let p = place name (Some parent) in
      Hashtbl.add parent.inside name p;
      p

let move s place =
  say s;
  s.point <- point_of s;
  s.since <- s.point.at;
  s.place <- place

let in_region slot s name f =
  stop slot s;
  let outer = s.place in
  (* A region inside itself counts once. *)
  let again, place =
    match around name outer with Some p -> (true, p) | None -> (false, inside s.session name outer)
  in
  move s place;
  let began = s.point in
  let finish () =
    match here () with
    | Some slot when slot.current == s ->
        stop slot s;
        move s outer;
        if not again then
          Mutex.protect s.session.lock (fun () ->
              place.calls <- place.calls + 1;
              place.span <- place.span + (s.point.at - began.at);
              place.burdened <- place.burdened + (s.point.burdened - began.burdened));
        go slot s
    | _ -> ()
  in
  go slot s;
  Fun.protect ~finally:finish f

let region name f =
  match here () with Some slot when slot.current != none -> in_region slot slot.current name f | _ -> f ()
