type t = bool Cell.t

let create () = Cell.make ~show:string_of_bool "mutex" false
let try_lock m = Cell.compare_and_set m false true
let lock m = if not (try_lock m) then Process.block ()
let unlock m = Cell.set m false

let protect m f =
  lock m;
  Fun.protect f ~finally:(fun () -> unlock m)
