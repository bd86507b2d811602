open Kit

(* One at a time: what reads OCaml's sources has one lexer for all domains. *)
let reading = Weft.Mutex.create ()

let file st =
  let readers = Reader.all in
  let reader = List.nth readers (ri st (List.length readers)) in
  let seed = List.nth reader.seeds (ri st (List.length reader.seeds)) in
  let text = Mutation.damaged st seed in
  (match Weft.Mutex.protect reading (fun () -> reader.read text) with
  | Ok () -> ()
  | Error line -> check (Printf.sprintf "the message %S" line) (Weft_files.Foreign_text.is_plain line)
  | exception exn -> check (Printf.sprintf "%s, %S: %s" reader.name text (Printexc.to_string exn)) false);
  did 1

let all = [ ("damaged_file", file) ]
