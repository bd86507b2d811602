type verdict = Holds | Violated of string | Unclear of string
type outcome = { verdict : verdict; states : int; seconds : float }

exception Tool_failed of string

(* Reading the report *)

(* "   901412 states, stored" *)
let states_in line = Scanf.sscanf_opt line " %d states, stored" Fun.id

(* "State-vector 88 byte, depth reached 91, errors: 0" *)
let errors_in line = Scanf.sscanf_opt line "State-vector %_d byte, depth reached %_d, errors: %d" Fun.id

(* "pan:1: assertion violated (task!=0) (at depth 23)" *)
let violation_in line =
  let without_depth text =
    match String.rindex_opt text '(' with Some i when i > 0 -> String.trim (String.sub text 0 i) | _ -> text
  in
  Option.map without_depth (Scanf.sscanf_opt line "pan:%_d: assertion violated %[^\n]" Fun.id)

(* Spin reports its own run-time checks as violated assertions, too: "- invalid array index". *)
let is_model_error assertion = String.starts_with ~prefix:"-" assertion

(* What else makes a report worthless: a limit that was met, or an error that is no violated assertion. *)
let is_harmless line =
  List.exists
    (fun prefix -> String.starts_with ~prefix line)
    [ "pan: wrote"; "pan: elapsed"; "pan: rate"; "pan: resizing hashtable" ]

let trouble_in line =
  let is_trouble = String.starts_with ~prefix:"error:" line || String.starts_with ~prefix:"pan:" line in
  if is_trouble && not (is_harmless line) then Some line else None

let read_report text =
  let lines = List.map String.trim (String.split_on_char '\n' text) in
  let first f = List.find_map f lines in
  let states = Option.value (first states_in) ~default:0 in
  let verdict =
    match (first violation_in, first trouble_in, first errors_in) with
    | Some assertion, _, _ when is_model_error assertion -> Unclear ("error in the model " ^ assertion)
    | Some assertion, _, _ -> Violated assertion
    | None, Some line, _ -> Unclear line
    | None, None, Some 0 -> Holds
    | None, None, Some n -> Unclear (Printf.sprintf "%d errors that are no violated assertion" n)
    | None, None, None -> Unclear "no report"
  in
  (verdict, states)

(* Running the tools *)

type ending = Exited of int | Killed of int | Timed_out

(* Polled, so that a limit of time needs no signal handler. *)
let wait pid ~seconds =
  let clock = Mtime_clock.counter () in
  let elapsed () = Mtime.Span.to_float_ns (Mtime_clock.count clock) *. 1e-9 in
  let rec poll () =
    match Unix.waitpid [ WNOHANG ] pid with
    | 0, _ when elapsed () < seconds ->
        Unix.sleepf 0.005;
        poll ()
    | 0, _ ->
        Unix.kill pid Sys.sigkill;
        ignore (Unix.waitpid [] pid);
        Timed_out
    | _, WEXITED code -> Exited code
    | _, (WSIGNALED signal | WSTOPPED signal) -> Killed signal
  in
  poll ()

let read_file path = In_channel.with_open_bin path In_channel.input_all

(* Runs a program in the current directory and returns all that it printed. *)
let command ~seconds program arguments =
  let log = "log" in
  let out = Unix.openfile log [ O_WRONLY; O_CREAT; O_TRUNC; O_CLOEXEC ] 0o600 in
  let pid =
    Fun.protect
      ~finally:(fun () -> Unix.close out)
      (fun () -> Unix.create_process program (Array.of_list (program :: arguments)) Unix.stdin out out)
  in
  let ending = wait pid ~seconds in
  (ending, read_file log)

let first_line text = List.hd (String.split_on_char '\n' (String.trim text))

(* Enough on any machine: what takes longer hangs. *)
let an_hour = 3600.

let tool program arguments =
  match command ~seconds:an_hour program arguments with
  | Exited 0, _ -> ()
  | Exited code, text ->
      raise (Tool_failed (Printf.sprintf "%s: exit code %d: %s" program code (first_line text)))
  | Killed _, _ -> raise (Tool_failed (program ^ ": killed by a signal"))
  | Timed_out, _ -> raise (Tool_failed (Printf.sprintf "%s: not done after %g s" program an_hour))
  | exception Unix.Unix_error (error, _, _) ->
      raise (Tool_failed (Printf.sprintf "%s: %s" program (Unix.error_message error)))

let remove_flat_directory directory =
  Array.iter (fun file -> Sys.remove (Filename.concat directory file)) (Sys.readdir directory);
  Sys.rmdir directory

(* Spin writes into the current directory. *)
let in_temporary_directory f =
  let here = Sys.getcwd () in
  let directory = Filename.temp_dir "weft-model" "" in
  Fun.protect
    ~finally:(fun () ->
      Sys.chdir here;
      remove_flat_directory directory)
    (fun () ->
      Sys.chdir directory;
      f ())

let explore ~memory_mib ~seconds ~optimise ~knobs path =
  tool "spin" (("-a" :: List.map (fun knob -> "-D" ^ knob) knobs) @ [ path ]);
  (* SAFETY: no search for cycles; NOCLAIM: no temporal property; COLLAPSE: half the memory, a third more time. *)
  let defines = [ "-DSAFETY"; "-DNOCLAIM"; Printf.sprintf "-DMEMLIM=%d" memory_mib ] in
  let compression = if memory_mib > 1024 then [ "-DCOLLAPSE" ] else [] in
  tool "gcc"
    (((if optimise then "-O2" else "-O0") :: "-w" :: defines) @ compression @ [ "-o"; "pan"; "pan.c" ]);
  match command ~seconds "./pan" [ "-m20000"; "-w22" ] with
  | Exited _, text -> read_report text
  | Killed signal, _ -> (Unclear (Printf.sprintf "exploration killed by signal %d" signal), 0)
  | Timed_out, _ -> (Unclear (Printf.sprintf "not done after %g s" seconds), 0)

let run ?(memory_mib = 1024) ?(seconds = an_hour) ~optimise ~knobs path =
  let path = if Filename.is_relative path then Filename.concat (Sys.getcwd ()) path else path in
  let clock = Mtime_clock.counter () in
  let verdict, states =
    in_temporary_directory (fun () -> explore ~memory_mib ~seconds ~optimise ~knobs path)
  in
  { verdict; states; seconds = Mtime.Span.to_float_ns (Mtime_clock.count clock) *. 1e-9 }
