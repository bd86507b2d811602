let in_force = ref false

let promise yes =
  in_force := yes;
  Process.on_restart (fun () -> in_force := false)

let promised () = !in_force
