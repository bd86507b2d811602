let limit = 60.
let running = Atomic.make None

let watch () =
  while true do
    Thread.delay 0.5;
    match Atomic.get running with
    | Some (name, since) when Unix.gettimeofday () -. since > limit ->
        Printf.eprintf "\nhangs: %s\n%!" name;
        Unix.kill (Unix.getpid ()) Sys.sigabrt
    | _ -> ()
  done

let watcher = lazy (ignore (Thread.create watch ()))

let case name f =
  Alcotest.test_case name `Quick (fun () ->
      Lazy.force watcher;
      Atomic.set running (Some (name, Unix.gettimeofday ()));
      Fun.protect f ~finally:(fun () -> Atomic.set running None))
