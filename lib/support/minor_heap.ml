let initial = 262_144

(* HACKING.md has the measurements. *)
let words_for ~domains ~at_once =
  if domains <= 1 then initial
  else if domains = 2 then 4 * initial
  else if domains <= at_once then 8 * initial
  else 16 * initial

let size () = (Gc.get ()).minor_heap_size

let use words =
  let gc = Gc.get () in
  if gc.minor_heap_size <> words then Gc.set { gc with minor_heap_size = words }

(* --- what the user has chosen --- *)

let in_environment =
  let sets_it s = String.starts_with ~prefix:"s=" s in
  let read variable =
    match Sys.getenv_opt variable with
    | Some parameters when List.exists sets_it (String.split_on_char ',' parameters) -> Some variable
    | Some _ | None -> None
  in
  match read "OCAMLRUNPARAM" with None -> read "CAMLRUNPARAM" | found -> found

(* --- holds --- *)

type domain = {
  mutable before : int;
  mutable ours : int; (* what we have set; 0: nothing *)
  mutable holds : hold list;
}

and hold = { words : int; domain : domain }

let key = Domain.DLS.new_key (fun () -> { before = 0; ours = 0; holds = [] })

(* OCaml rounds sizes up to whole pages. *)
let set d words =
  use words;
  d.ours <- size ()

let hold words =
  let d = Domain.DLS.get key in
  let h = { words; domain = d } in
  if d.holds = [] then begin
    d.before <- size ();
    d.ours <- d.before
  end;
  d.holds <- h :: d.holds;
  if words > d.ours && size () = d.ours then set d words;
  h

let release h =
  let d = Domain.DLS.get key in
  if d == h.domain && List.memq h d.holds then begin
    d.holds <- List.filter (fun other -> other != h) d.holds;
    if size () = d.ours then set d (List.fold_left (fun most h -> max most h.words) d.before d.holds);
    if d.holds = [] then d.ours <- 0
  end

(* --- choosing --- *)

let set_by_user () =
  match in_environment with
  | Some variable -> Some variable
  | None ->
      let now = size () and d = Domain.DLS.get key in
      if now = initial || now = d.ours then None else Some "Gc.set"

let choice ?asked ~domains ~at_once () =
  match asked with
  | Some _ -> asked
  | None ->
      let words = words_for ~domains ~at_once in
      if words = initial || set_by_user () <> None then None else Some words
