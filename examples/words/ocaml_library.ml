(* The first line that [command] prints, if it can be run and succeeds. *)
let first_line command =
  let nowhere = Unix.openfile "/dev/null" [ O_RDWR; O_CLOEXEC ] 0 in
  let from_command, to_us = Unix.pipe ~cloexec:true () in
  match Unix.create_process command.(0) command nowhere to_us nowhere with
  | exception Unix.Unix_error _ ->
      List.iter Unix.close [ nowhere; from_command; to_us ];
      None
  | process -> (
      List.iter Unix.close [ nowhere; to_us ];
      let input = Unix.in_channel_of_descr from_command in
      let line = In_channel.input_line input in
      In_channel.close input;
      match Unix.waitpid [] process with _, WEXITED 0 -> line | _ -> None)

let directory () =
  match first_line [| "ocamlfind"; "ocamlc"; "-where" |] with
  | Some directory -> Some directory
  | None -> first_line [| "ocamlc"; "-where" |]

let is_source name = List.mem (Filename.extension name) [ ".ml"; ".mli"; ".h" ]
