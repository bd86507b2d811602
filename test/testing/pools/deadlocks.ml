let detecting f =
  Weft.Deadlock.set_detection Always;
  Fun.protect ~finally:(fun () -> Weft.Deadlock.set_detection Automatic) f
