type test = { name : string; ends : float }

let running = Atomic.make None
let details = Atomic.make (fun () -> "")

(* Alcotest keeps what a test prints to itself until the test ends, and this one will not. *)
let seen_at_once = Unix.dup ~cloexec:true Unix.stderr

let watch () =
  while true do
    Thread.delay 0.5;
    match Atomic.get running with
    | Some t when Unix.gettimeofday () > t.ends ->
        let text = Printf.sprintf "\nhangs: %s\n%s%!" t.name ((Atomic.get details) ()) in
        ignore (Unix.write_substring seen_at_once text 0 (String.length text) : int);
        Unix.kill (Unix.getpid ()) Sys.sigabrt
    | _ -> ()
  done

let watcher = lazy (ignore (Thread.create watch () : Thread.t))

let case ?(seconds = 120.) name test =
  let limited () =
    Lazy.force watcher;
    Atomic.set running (Some { name; ends = Unix.gettimeofday () +. seconds });
    Fun.protect test ~finally:(fun () -> Atomic.set running None)
  in
  Alcotest.test_case name `Quick limited

let watched what f =
  Atomic.set details what;
  Fun.protect f ~finally:(fun () -> Atomic.set details (fun () -> ""))
