(* What explored functions share. *)

(* Another fiber may go on here. *)
let point () = Weft.Cancel.check ()
let both f g = ignore (Weft.par f g : unit * unit)
