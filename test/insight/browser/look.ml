(* look PAGE.html OUT.png [dark] [phone] [JS]: a screenshot. *)
let () =
  match (Chromium.find (), List.tl (Array.to_list Sys.argv)) with
  | None, _ ->
      prerr_endline "look: no chromium here";
      exit 2
  | Some program, page :: out :: options ->
      let browser = Chromium.start program in
      Fun.protect ~finally:(fun () -> Chromium.stop browser) @@ fun () ->
      if List.mem "phone" options then Chromium.size browser ~touch:true ~ratio:2. 390 760;
      if List.mem "dark" options then Chromium.dark browser true;
      Chromium.open_page browser ("file://" ^ Unix.realpath page);
      List.iter
        (fun js ->
          if js <> "dark" && js <> "phone" then
            print_endline (Yojson.Safe.to_string (Chromium.eval browser js)))
        options;
      ignore
        (Chromium.eval browser
           "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))"
          : Yojson.Safe.t);
      List.iter prerr_endline (Chromium.errors browser);
      Chromium.screenshot browser out
  | _ ->
      prerr_endline "usage: look PAGE.html OUT.png [dark] [phone] [JS]...";
      exit 2
