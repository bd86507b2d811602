(* A signal handler may cancel, and should do no more. What depends on the token ends at its next cancellation point, and
   what is to be put in order is put in order. *)
let stop = Weft.Cancel.create ()

let serve handle =
  let rec loop n =
    handle n;
    Weft.sleep 0.001;
    loop (n + 1)
  in
  Fun.protect ~finally:(fun () -> print_endline "files closed") (fun () -> loop 1)

let () =
  Sys.set_signal Sys.sigint (Signal_handle (fun _ -> Weft.Cancel.cancel ~reason:"Ctrl-C" stop));
  (* The third request presses Ctrl-C. *)
  let handle n = if n = 3 then Unix.kill (Unix.getpid ()) Sys.sigint in
  match Weft.Cancel.within stop (fun () -> serve handle) with
  | () -> ()
  | exception Weft.Cancel.Cancelled reason -> Printf.printf "stopped: %s\n" reason
