let last = ref 0
let bounded = ref false
let exempt : string option ref = ref None

let reset () =
  last := 0;
  bounded := false;
  exempt := None

let bound ?except yes =
  reset ();
  Process.on_restart reset;
  bounded := yes;
  exempt := except

let is_bounded () = !bounded

let check ~active ~room =
  let more = active > !last in
  last := active;
  if !bounded && more && active > room && Process.current () >= 0 && Some (Process.name ()) <> !exempt then
    failwith (Printf.sprintf "%d become active, and there is room for %d" active room)
