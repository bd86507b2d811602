(* A program that does not use Weft. *)
let () =
  match Sys.argv with
  | [| _; "collect" |] ->
      let keep = ref [] in
      for i = 1 to 200_000 do
        keep := if i mod 1000 = 0 then [] else Array.make 10 i :: !keep
      done;
      Gc.full_major ();
      ignore (Sys.opaque_identity !keep)
  | [| _; "wait" |] ->
      print_endline "started";
      Unix.sleepf 3600.
  | _ -> exit 3
