(* frame_times [N]: the time of a frame of the timeline with a million events (or N), while zooming in and
   out and panning. *)

let print (t : Frames.t) =
  let times name (x : Frames.times) =
    Printf.printf "%-7s mean %5.1f, median %5.1f, p90 %5.1f, longest %5.1f ms\n" name x.mean x.p50 x.p90 x.max
  in
  Printf.printf "%d events, loaded in %.0f ms\n" t.events t.load;
  times "frames" t.frames;
  times "drawing" t.draws;
  Printf.printf "a search %.1f ms\n" t.search

let () =
  let events = match Sys.argv with [| _; n |] -> int_of_string n | _ -> 1_000_000 in
  match Chromium.find () with
  | None ->
      prerr_endline "frame_times: no chromium here";
      exit 2
  | Some program ->
      let browser = Chromium.start program in
      Fun.protect ~finally:(fun () -> Chromium.stop browser) @@ fun () ->
      Frames.of_large_trace browser ~events (fun () -> print (Frames.measure browser 240))
