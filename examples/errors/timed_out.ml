let () = Weft.Cancel.with_timeout 0.01 (fun () -> Weft.sleep 3600.)
