let current = ref (fun () -> false)
let is_over () = !current ()

let ends_when f =
  current := f;
  Process.on_restart (fun () -> current := fun () -> false)
