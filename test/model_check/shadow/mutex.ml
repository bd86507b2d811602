type t = { cell : bool Cell.t; whole : bool }

let create () = { cell = Cell.make ~show:string_of_bool "mutex" false; whole = Section.are_whole () }
let is_whole m = m.whole
let try_lock m = Cell.compare_and_set m.cell false true
let lock m = if not (try_lock m) then Process.block ()
let unlock m = Cell.set m.cell false

let protect m f =
  lock m;
  Fun.protect f ~finally:(fun () -> unlock m)
