let () =
  let mutex = Weft.Mutex.create () in
  Weft.Mutex.protect mutex (fun () -> Weft.Mutex.lock mutex)
