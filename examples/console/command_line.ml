open Cmdliner

let between low high =
  let parse text =
    match int_of_string_opt text with
    | Some n when low <= n && n <= high -> Ok n
    | _ -> Error (`Msg (Printf.sprintf "%S is not a number from %d to %d" text low high))
  in
  Arg.conv ~docv:"N" (parse, Format.pp_print_int)

let at_least low = between low 1_000_000_000

let seconds =
  let parse text =
    match float_of_string_opt text with
    | Some s when s >= 0. && s <= 1e9 -> Ok s
    | _ -> Error (`Msg (Printf.sprintf "%S is not a number of seconds from 0 to 1e9" text))
  in
  Arg.conv ~docv:"SECONDS" (parse, fun ppf -> Format.fprintf ppf "%g")

let domains =
  let doc = "Use $(docv) domains, 1 to 128. By default, as many as the machine offers." in
  Arg.(value & opt (some (between 1 128)) None & info [ "domains" ] ~docv:"N" ~doc)

let read file =
  let name = Option.fold file ~none:"standard input" ~some:Printable.name in
  match
    match file with
    | None -> In_channel.input_all stdin
    | Some path -> In_channel.with_open_bin path In_channel.input_all
  with
  | text -> (name, text)
  | exception Sys_error message ->
      (* "PATH: REASON" if the file cannot be opened, "REASON" if it cannot be read. *)
      let reason = List.hd (List.rev (String.split_on_char ':' message)) in
      raise (Sys_error (name ^ ": " ^ String.trim reason))

let complain program format = Printf.ksprintf (fun line -> prerr_endline (program ^ ": " ^ line)) format

let print f =
  match
    f ();
    flush stdout
  with
  | () -> Ok ()
  | exception Sys_error message ->
      (* Output that could not be written is dropped: otherwise the end of the program would try once more. *)
      close_out_noerr stdout;
      Error message
