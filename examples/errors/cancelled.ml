let () =
  Weft.Scope.run (fun scope ->
      let task = Weft.Scope.async scope (fun () -> Weft.sleep 3600.) in
      Weft.Promise.cancel task;
      Weft.await task)
