type t = {
  screen : Unix.file_descr;
  keys : Unix.file_descr;
  before : Unix.terminal_io;
  mutable taken : bool;
  mutable size : (int * int) option;
}

let write fd text =
  let rec go from =
    if from < String.length text then
      match Unix.write_substring fd text from (String.length text - from) with
      | n -> go (from + n)
      | exception Unix.Unix_error (EINTR, _, _) -> go from
      | exception Unix.Unix_error (EAGAIN, _, _) ->
          ignore (Unix.select [] [ fd ] [] 1.);
          go from
      | exception Unix.Unix_error _ -> ()
  in
  go 0

let enter = "\027[?1049h\027[?25l\027[2J"
let leave = "\027[0m\027[?25h\027[?1049l"
let set t io = try Unix.tcsetattr t.keys TCSADRAIN io with Unix.Unix_error _ -> ()

let give_back t =
  if t.taken then (
    t.taken <- false;
    set t t.before;
    write t.screen leave)

let take screen =
  match Unix.openfile "/dev/tty" [ O_RDWR; O_CLOEXEC ] 0 with
  | exception Unix.Unix_error (reason, _, _) -> Error (Unix.error_message reason)
  | keys -> (
      match Unix.tcgetattr keys with
      | exception Unix.Unix_error (reason, _, _) ->
          Unix.close keys;
          Error (Unix.error_message reason)
      | before ->
          let t = { screen; keys; before; taken = true; size = None } in
          at_exit (fun () -> give_back t);
          set t { before with c_icanon = false; c_echo = false; c_vmin = 0; c_vtime = 0 };
          write screen enter;
          Ok t)

(* OCaml's Unix has no function for the size, so stty is asked. *)
let asked t =
  let output, input = Unix.pipe ~cloexec:true () in
  let finally () = Unix.close output in
  Fun.protect ~finally @@ fun () ->
  match
    let pid = Unix.create_process "stty" [| "stty"; "size" |] t.keys input Unix.stderr in
    Unix.close input;
    let bytes = Bytes.create 64 in
    let n = Unix.read output bytes 0 64 in
    ignore (Unix.waitpid [] pid : int * Unix.process_status);
    Scanf.sscanf_opt (Bytes.sub_string bytes 0 n) " %d %d" (fun lines columns -> (columns, lines))
  with
  | Some (columns, lines) when columns > 0 && lines > 0 -> (columns, lines)
  | _ -> (80, 24)
  | exception Unix.Unix_error _ -> (80, 24)

let size t =
  match t.size with
  | Some size -> size
  | None ->
      let size = asked t in
      t.size <- Some size;
      size

let resized t = t.size <- None

(* Writes all at once and clears each line only after its text, so that the screen does not flicker. *)
let show t lines =
  let body = String.concat "\r\n" (List.map (fun line -> line ^ "\027[K") lines) in
  write t.screen ("\027[H" ^ body ^ "\027[J")

let key t ~wait =
  match Unix.select [ t.keys ] [] [] wait with
  | [], _, _ -> None
  | _ -> (
      let bytes = Bytes.create 1 in
      match Unix.read t.keys bytes 0 1 with
      | 1 -> Some (Bytes.get bytes 0)
      | _ ->
          (* The terminal is closed. *)
          Unix.sleepf wait;
          None
      | exception Unix.Unix_error _ -> None)
  | exception Unix.Unix_error (EINTR, _, _) -> None
