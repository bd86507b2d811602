module Processes = Weft_bench_elastic.Processes

type t = { program : string; version : string }

let version t = t.version
let install = "install gnuplot (Debian: apt-get install gnuplot-nox)"

(* {1 Looking for it} *)

let is_program path =
  match (Unix.stat path).st_kind with
  | S_REG -> ( try Unix.access path [ X_OK ] = () with Unix.Unix_error _ -> false)
  | _ -> false
  | exception Unix.Unix_error _ -> false

let in_path name =
  let folders = String.split_on_char ':' (Option.value (Sys.getenv_opt "PATH") ~default:"") in
  List.find_opt is_program (List.map (fun folder -> Filename.concat folder name) folders)

let terminal = function Script.Svg -> "svg" | Png -> "pngcairo" | Pdf -> "pdfcairo"
let question = "set print '-'; print GPVAL_VERSION; print GPVAL_TERMINALS"
let time_to_answer = 20.
let numbers version = List.filter_map int_of_string_opt (String.split_on_char '.' version)

(* gnuplot has blocks of data since 5.0. *)
let understood program formats answer =
  match List.map String.trim (String.split_on_char '\n' answer) with
  | version :: terminals :: _ when numbers version <> [] -> (
      let terminals = String.split_on_char ' ' terminals in
      let missing format = not (List.mem (terminal format) terminals) in
      match List.find_opt missing formats with
      | _ when List.compare Int.compare (numbers version) [ 5 ] < 0 ->
          Error (Printf.sprintf "%s is version %s, and 5.0 is needed: %s" program version install)
      | Some format ->
          Error
            (Printf.sprintf "%s cannot write %s (it has no terminal %s): %s, or leave it out of --format"
               program (Script.suffix format) (terminal format) install)
      | None -> Ok { program; version })
  | _ -> Error (Printf.sprintf "%s does not say its version: %s" program install)

let find formats =
  match in_path "gnuplot" with
  | None -> Error ("there is no gnuplot in PATH to draw with: " ^ install)
  | Some program -> (
      match Processes.run ~limit:time_to_answer program [ "-d"; "-e"; question ] with
      | Exited answer -> understood program formats answer
      | Failed reason -> Error (Printf.sprintf "%s does not run (%s): %s" program reason install)
      | Over_limit -> Error (Printf.sprintf "%s does not answer" program)
      | exception Unix.Unix_error (error, _, _) ->
          Error (Printf.sprintf "%s does not run (%s): %s" program (Unix.error_message error) install))

(* {1 Drawing} *)

let time_to_draw = 300.

(* gnuplot prints the command, a mark below it, and then the error, in the last lines. *)
let complaint messages =
  let lines = List.filter (( <> ) "") (List.map String.trim (String.split_on_char '\n' messages)) in
  match List.rev lines with [] -> "no message" | last :: _ -> last

let read path = In_channel.with_open_bin path In_channel.input_all

(* Its input is a file, not a pipe: so there is no SIGPIPE if gnuplot ends early. With "-", it ends at the
   first error. *)
let draw { program; _ } ~folder figures =
  let at name = Filename.concat folder name in
  let input = at "commands" and messages = at "messages" in
  let commands = List.map (fun (file, format, chart) -> Script.draw format ~file:(at file) chart) figures in
  match
    Out_channel.with_open_bin input (fun channel -> List.iter (Out_channel.output_string channel) commands);
    let errors = Unix.openfile messages [ O_WRONLY; O_CREAT; O_TRUNC; O_CLOEXEC ] 0o600 in
    Fun.protect
      ~finally:(fun () -> Unix.close errors)
      (fun () -> Processes.run ~input ~messages:errors ~limit:time_to_draw program [ "-d"; "-" ])
  with
  | Exited _ -> (
      let is_missing (file, _, _) = try (Unix.stat (at file)).st_size = 0 with Unix.Unix_error _ -> true in
      match List.find_opt is_missing figures with
      | None -> Ok ()
      | Some (file, _, _) ->
          Error (Printf.sprintf "gnuplot has not drawn %s: %s" file (complaint (read messages))))
  | Failed reason -> Error (Printf.sprintf "gnuplot failed (%s): %s" reason (complaint (read messages)))
  | Over_limit -> Error (Printf.sprintf "gnuplot took more than %.0f s and was stopped" time_to_draw)
  | exception Unix.Unix_error (error, _, _) -> Error ("gnuplot does not run: " ^ Unix.error_message error)
  | exception Sys_error reason -> Error reason
