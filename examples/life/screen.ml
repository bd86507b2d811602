let is_terminal () = Unix.isatty Unix.stdout && Sys.getenv_opt "TERM" <> Some "dumb"

(* Opens the other screen of the terminal and clears it, hides the cursor, and turns off the wrapping of
   long lines. *)
let enter = "\x1b[?1049h\x1b[2J\x1b[?25l\x1b[?7l"
let leave = "\x1b[?7h\x1b[?25h\x1b[?1049l"

let draw rows =
  (* Each row is written at its place: line ends would scroll the screen if there are more rows than it
     has. *)
  List.iteri (fun i row -> Printf.printf "\x1b[%d;1H%s" (i + 1) row) rows;
  flush stdout

let until_told_to_end f =
  let stop = Weft.Cancel.create () in
  let on_signal = Sys.Signal_handle (fun _ -> Weft.Cancel.cancel stop) in
  let signals = [ Sys.sigint; Sys.sigterm; Sys.sighup ] in
  let before = List.map (fun signal -> Sys.signal signal on_signal) signals in
  Fun.protect
    ~finally:(fun () -> List.iter2 Sys.set_signal signals before)
    (fun () -> try Weft.Cancel.within stop f with Weft.Cancel.Cancelled _ -> ())

let during f =
  until_told_to_end (fun () ->
      print_string enter;
      let restore () =
        try
          print_string leave;
          flush stdout
        with Sys_error _ -> () (* the terminal is gone *)
      in
      Fun.protect ~finally:restore f)
