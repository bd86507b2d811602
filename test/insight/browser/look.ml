(* look PAGE.html OUT.png [dark] [phone] [size=WIDTHxHEIGHT] [JS]...: takes a screenshot, and prints the
   values of the expressions. *)

let usage () =
  prerr_endline "usage: look PAGE.html OUT.png [dark] [phone] [size=WIDTHxHEIGHT] [JS]...";
  exit 2

let two_frames = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))"

let option browser = function
  | "dark" ->
      Chromium.dark browser true;
      None
  | "phone" ->
      Chromium.size browser ~touch:true ~ratio:2. 390 760;
      None
  | text -> (
      match Scanf.sscanf_opt text "size=%dx%d%!" (fun width height -> (width, height)) with
      | Some (width, height) ->
          Chromium.size browser width height;
          None
      | None -> Some text)

let () =
  match (Chromium.find (), List.tl (Array.to_list Sys.argv)) with
  | None, _ ->
      prerr_endline "look: no chromium here";
      exit 2
  | Some program, page :: out :: options ->
      let browser = Chromium.start program in
      Fun.protect ~finally:(fun () -> Chromium.stop browser) @@ fun () ->
      let scripts = List.filter_map (option browser) options in
      Chromium.open_page browser ("file://" ^ Unix.realpath page);
      List.iter (fun js -> print_endline (Yojson.Safe.to_string (Chromium.eval browser js))) scripts;
      ignore (Chromium.eval browser two_frames : Yojson.Safe.t);
      List.iter prerr_endline (Chromium.errors browser);
      Chromium.screenshot browser out
  | _ -> usage ()
