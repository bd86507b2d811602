let unreached = -1

let from graph start =
  let level = Weft.Array.map (fun _ -> Atomic.make unreached) graph in
  (* If several find a node at the same time, one of them has it in its part of the next wave. *)
  let is_first depth node =
    Atomic.get level.(node) = unreached && Atomic.compare_and_set level.(node) unreached depth
  in
  let rec spread depth wave =
    if Array.length wave > 0 then
      spread (depth + 1)
        (Weft.Array.flat_map (fun node -> Weft.Array.filter (is_first depth) graph.(node)) wave)
  in
  Atomic.set level.(start) 0;
  spread 1 [| start |];
  Weft.Array.map Atomic.get level
