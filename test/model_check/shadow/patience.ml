let current = ref (fun () -> false)
let is_over () = !current ()

let ends_when f =
  current := f;
  Process.on_restart (fun () -> current := fun () -> false)

let raises = ref None

let wait_ended () =
  let exn = !raises in
  raises := None;
  Option.iter raise exn

let first_wait_raises exn =
  raises := Some exn;
  Process.on_restart (fun () -> raises := None)
