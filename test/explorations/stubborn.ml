(* It goes on although it is cancelled. *)
let wait () =
  Weft.Cancel.shield (fun () ->
      while true do
        Weft.yield ()
      done)

let () = Weft_explore.check ~patience:100 wait
