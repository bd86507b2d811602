(* adapt [--mutants] FILE...: writes adapted copies of the files into the current folder, for the checks.
   If an edit does not apply, it writes no file, and its exit code is 1. *)
open Weft_edits

let fail message =
  prerr_endline ("adapt: " ^ message);
  exit 1

let adapted edits path =
  let file = Filename.basename path in
  let text = In_channel.with_open_bin path In_channel.input_all in
  match Edit.apply edits ~file text with
  | text -> (file, text)
  | exception Edit.Does_not_apply (e, found) ->
      fail
        (Printf.sprintf "%s has %S %d times, not %d: adapt/edits.ml must follow the source" path e.was found
           e.times)

let main edits paths =
  let write (file, text) = Out_channel.with_open_bin file (fun o -> Out_channel.output_string o text) in
  List.iter write (List.map (adapted edits) paths)

let () =
  match List.tl (Array.to_list Sys.argv) with
  | "--mutants" :: paths ->
      main (Edits.adaptations @ List.concat_map (fun (m : Edit.mutant) -> m.edits) Edits.mutants) paths
  | paths -> main Edits.adaptations paths
