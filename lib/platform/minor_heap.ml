let initial = 262_144

(* Measured with sizes forced by OCAMLRUNPARAM=s=...; twice as much is slower again: see doc/rationale.md. *)
let best_for ~domains = if domains <= 1 then initial else if domains = 2 then 4 * initial else 8 * initial

(* All together at most an eighth of the limit: the rest is for what the program keeps. In whole pages,
   as OCaml has them. *)
let words_for ?root ~domains () =
  let best = best_for ~domains in
  match if best > initial then (Machine.limits ?root ()).memory else None with
  | Some bytes -> max initial (min best (bytes / 8 / domains / (Sys.word_size / 8) land lnot 511))
  | None -> best

let size () = (Gc.get ()).minor_heap_size

external has_address_space : int -> bool = "weft_has_address_space" [@@noalloc]

(* The runtime reserves address space for the minor heaps of all domains that there may be, and ends the
   program where it cannot. As much again is left for the program. *)
let fits words = words <= size () || has_address_space (2 * Machine.max_domains * words * (Sys.word_size / 8))

let set_size words =
  let gc = Gc.get () in
  if words <> gc.minor_heap_size && fits words then Gc.set { gc with minor_heap_size = words }

(* --- what is known of a domain --- *)

(* The first three have a meaning if it [is_pool's], or has holds. *)
type domain = {
  mutable user's : int; (* what it would have without us *)
  mutable least : int; (* what it has when no hold lasts *)
  mutable ours : int; (* the size that we last left it with; any other size is the program's choice *)
  mutable is_pool's : bool;
  mutable holds : hold list;
}

and hold = { words : int; domain : domain }

let key = Domain.DLS.new_key (fun () -> { user's = 0; least = 0; ours = 0; is_pool's = false; holds = [] })
let is_known d = d.is_pool's || d.holds <> []
let is_as_left d = size () = d.ours

let know d ~user's =
  d.user's <- user's;
  d.least <- size ();
  d.ours <- d.least

(* OCaml rounds sizes up to whole pages. *)
let set d words =
  set_size words;
  d.ours <- size ()

let most d = List.fold_left (fun most h -> max most h.words) d.least d.holds

(* --- what the user has chosen --- *)

(* As the runtime reads them: the second variable only if the first is not there at all. *)
let set_in environment =
  let sets_it parameter = String.starts_with ~prefix:"s" parameter in
  let variables = [ "OCAMLRUNPARAM"; "CAMLRUNPARAM" ] in
  let read variable = Option.map (fun parameters -> (variable, parameters)) (environment variable) in
  match List.find_map read variables with
  | Some (variable, parameters) when List.exists sets_it (String.split_on_char ',' parameters) ->
      Some variable
  | Some _ | None -> None

let in_environment = set_in Sys.getenv_opt

let user's_size () =
  let d = Domain.DLS.get key in
  if is_known d && is_as_left d then d.user's else size ()

let set_by_user () =
  match in_environment with
  | Some variable -> Some variable
  | None -> if user's_size () = initial then None else Some "Gc.set"

(* --- choosing --- *)

type choice = { size : int; without : int (* in a domain that has nothing to do with Weft *) }

let choice ?asked ~domains () =
  let without = user's_size () in
  match asked with
  | Some size -> Some { size; without }
  | None ->
      let size = if Option.is_some (set_by_user ()) then without else words_for ~domains () in
      (* A new domain has that already, unless the environment says otherwise. *)
      if size = initial && Option.is_none in_environment then None else Some { size; without }

let words c = c.size

(* --- domains of pools --- *)

let expect c =
  let d = Domain.DLS.get key in
  if not (is_known d) then know d ~user's:c.without;
  d.is_pool's <- true

let use c =
  expect c;
  let d = Domain.DLS.get key in
  d.least <- c.size;
  if is_as_left d then set d (most d)

(* --- holds --- *)

let hold c =
  let d = Domain.DLS.get key in
  if not (is_known d) then know d ~user's:(size ());
  let h = { words = c.size; domain = d } in
  d.holds <- h :: d.holds;
  if c.size > d.ours && is_as_left d then set d c.size;
  h

let release h =
  let d = Domain.DLS.get key in
  if d == h.domain && List.memq h d.holds then begin
    d.holds <- List.filter (fun other -> other != h) d.holds;
    if is_as_left d then set d (most d)
  end
