type t = unit

let raises = ref (fun () -> ())

let handlers_raise who exn =
  (raises := fun () -> if Process.name () = who then raise exn);
  Process.on_restart (fun () -> raises := fun () -> ())

let enter ~wake:_ f =
  let v = f () in
  !raises ();
  v

let poll_in_line () _ = ()
let poll_for _ = ()
let is_pending _ = false
let is_left () = false
let must_leave_slot _ = false
