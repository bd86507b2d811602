(* One cell for all sections and words of a run: what does not conflict in truth costs interleavings, not answers. *)
let cell : int Cell.t option ref = ref None

let collapse yes =
  cell := None;
  if yes then begin
    cell := Some (Cell.make "section" 0);
    Process.on_restart (fun () -> cell := None)
  end

let collapsed () = Option.is_some !cell
let get () = match !cell with Some c -> c | None -> invalid_arg "Section: not collapsed"

let run f =
  ignore (Cell.fetch_and_add (get ()) 1);
  f ()

let look () = ignore (Cell.get (get ()))
