type steps = All | One of int Cell.t  (** for all sections and words of a run *) | None_at_all

let steps = ref All
let apart = ref false

let set s =
  steps := s;
  Process.on_restart (fun () -> steps := All)

(* A false conflict costs interleavings and changes no answer: so one cell is enough. *)
let collapse yes = if yes then set (One (Cell.make "section" 0))
let ignore_all () = set None_at_all
let collapsed () = !steps <> All
let are_whole () = collapsed () && not !apart

let step_by_step make =
  apart := true;
  let made = make () in
  apart := false;
  made

let look () = match !steps with One c -> ignore (Cell.get c) | All | None_at_all -> ()

let run f =
  (match !steps with One c -> ignore (Cell.fetch_and_add c 1) | All | None_at_all -> ());
  f ()

type word = { cell : int Cell.t; mutable value : int }

let word name = { cell = Cell.make ~show:string_of_int name 0; value = 0 }

(* [value] is the word when sections are single steps; else the cell is. *)
let read w =
  if collapsed () then begin
    look ();
    w.value
  end
  else Cell.get w.cell

let write w v =
  w.value <- v;
  if not (collapsed ()) then Cell.set w.cell v

let change w v = if w.value <> v then write w v
let value w = w.value
