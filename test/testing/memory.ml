let live_words () =
  Gc.full_major ();
  Gc.full_major ();
  (Gc.stat ()).live_words

let attempts = 6

let always_above most growth =
  let rec go left =
    let words = growth () in
    if words <= most then None else if left = 1 then Some words else go (left - 1)
  in
  go attempts

let grows ~slack round =
  round ();
  let before = ref (live_words ()) in
  always_above slack (fun () ->
      round ();
      let after = live_words () in
      let growth = after - !before in
      before := after;
      growth)

let resident_bytes () =
  match In_channel.with_open_bin "/proc/self/statm" In_channel.input_all with
  | statm -> Scanf.sscanf statm "%d %d" (fun _ pages -> Some (4096 * pages))
  | exception Sys_error _ -> None
