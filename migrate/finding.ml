type note = { at : int; needed : bool; what : string; advice : string }
type t = { edits : Edit.t list; notes : note list }

let nothing = { edits = []; notes = [] }
let edit span by = { edits = [ { Edit.span; by } ]; notes = [] }
let note ?(needed = false) at ~what advice = { edits = []; notes = [ { at; needed; what; advice } ] }
let ( @ ) a b = { edits = a.edits @ b.edits; notes = a.notes @ b.notes }

let concat all =
  { edits = List.concat_map (fun f -> f.edits) all; notes = List.concat_map (fun f -> f.notes) all }

let old_name = "domainslib"
let new_name = "weft-domainslib"
