open Weft_scheduler
open Weft_schedules
open Weft_files
module Signals = Weft_insight_trace.Program

let schedule_in folder = Filename.concat folder "schedule"

let fields_in folder = function
  | Search.First -> "first"
  | Walk seed -> Printf.sprintf "seed=%d" seed
  | Priorities { seed; depth; length } -> Printf.sprintf "seed=%d,depth=%d,length=%d" seed depth length
  | Schedule _ -> "replay=" ^ schedule_in folder

let fields = fields_in ""

let environment value =
  let is_ours entry = String.starts_with ~prefix:"WEFT_EXPLORE=" entry in
  let others = List.filter (fun entry -> not (is_ours entry)) (Array.to_list (Unix.environment ())) in
  Array.of_list (("WEFT_EXPLORE=" ^ value) :: others)

let signal_name signal = Signals.name_of_signal (Signals.number_of_signal signal)

let rec wait pid =
  match Unix.waitpid [] pid with _, status -> status | exception Unix.Unix_error (EINTR, _, _) -> wait pid

(* Handlers of signals raise nothing: they kill the program that runs, and what waits for it sees why. *)
let running = ref None
let ended_by = ref None
let kill () = Option.iter (fun pid -> try Unix.kill pid Sys.sigkill with Unix.Unix_error _ -> ()) !running

exception Signalled of int

let end_at_signals () =
  let handler signal =
    ended_by := Some signal;
    kill ()
  in
  List.iter (fun s -> Sys.set_signal s (Signal_handle handler)) Sys.[ sigint; sigterm; sighup; sigquit ]

let wait_for pid ~seconds =
  let is_late = ref false in
  let late _ =
    is_late := true;
    kill ()
  in
  let before = Sys.signal Sys.sigalrm (Signal_handle late) in
  let set seconds = ignore (Unix.setitimer ITIMER_REAL { it_value = seconds; it_interval = 0. }) in
  running := Some pid;
  if !ended_by <> None then kill ();
  set seconds;
  let status = wait pid in
  running := None;
  set 0.;
  Sys.set_signal Sys.sigalrm before;
  Option.iter (fun signal -> raise (Signalled signal)) !ended_by;
  (status, !is_late && status = WSIGNALED Sys.sigkill)

let contains text part =
  let n = String.length part in
  let rec from i = i + n <= String.length text && (String.sub text i n = part || from (i + 1)) in
  from 0

(* "Fatal error: exception Failure("x")": the exception without its arguments, since these may differ. *)
let exception_of text =
  let head = "Fatal error: exception " in
  let name line =
    if String.starts_with ~prefix:head line then
      let rest = String.sub line (String.length head) (String.length line - String.length head) in
      let is_end c = c = '(' || c = ' ' || c = ':' in
      let rec length i = if i = String.length rest || is_end rest.[i] then i else length (i + 1) in
      Some (Foreign_text.line (String.sub rest 0 (length 0)))
    else None
  in
  List.find_map name (String.split_on_char '\n' text)

let failure_of (status : Unix.process_status) ~late ~seconds ~text =
  let failed kind = Some { Search.kind; text } in
  match status with
  | _ when late -> failed (Printf.sprintf "no end within %g s" seconds)
  | WEXITED 0 -> None
  | WEXITED code when code = Explored.exit_livelock && contains text "livelock" -> failed "livelock"
  | WEXITED code -> (
      if contains text "Weft.Deadlock: " then failed "deadlock"
      else
        match exception_of text with
        | Some name -> failed ("exception " ^ name)
        | None -> failed (Printf.sprintf "exit code %d" code))
  | WSIGNALED s | WSTOPPED s -> failed ("killed by " ^ signal_name s)

(* The beginning says why a program failed. *)
let most_messages = 1024 * 1024

let contents file =
  try
    In_channel.with_open_bin file (fun input ->
        let b = Bytes.create most_messages in
        let rec fill at =
          let n = In_channel.input input b at (most_messages - at) in
          if n = 0 then Bytes.sub_string b 0 at else fill (at + n)
        in
        fill 0)
  with Sys_error _ -> ""

let run ~folder ~seconds ~patience ~timers ~quiet how command =
  let record = Filename.concat folder "record" and messages = Filename.concat folder "messages" in
  (try Sys.remove record with Sys_error _ -> ());
  (match how with
  | Search.Schedule choices ->
      Out_channel.with_open_bin (schedule_in folder) (fun out ->
          output_string out (Schedule_file.print ~comment:[] choices))
  | First | Walk _ | Priorities _ -> ());
  let timers = if timers then "" else ",no-timers" in
  let value = Printf.sprintf "%s%s,patience=%d,record=%s" (fields_in folder how) timers patience record in
  let opened name flags = Unix.openfile name (O_CLOEXEC :: flags) 0o600 in
  let errors = opened messages [ O_WRONLY; O_CREAT; O_TRUNC ] in
  let nowhere = opened "/dev/null" [ O_RDWR ] in
  let output = if quiet then nowhere else Unix.stdout in
  let close () = List.iter Unix.close [ errors; nowhere ] in
  match
    Fun.protect ~finally:close (fun () ->
        Unix.create_process_env (List.hd command) (Array.of_list command) (environment value) nowhere output
          errors)
  with
  | exception Unix.Unix_error (why, _, _) ->
      Error
        (Printf.sprintf "cannot run %s: %s" (Foreign_text.line (List.hd command)) (Unix.error_message why))
  | pid -> (
      let status, late = wait_for pid ~seconds in
      let text = contents messages in
      let record = Record.read record in
      match (status, record) with
      | WEXITED code, _ when code = Explored.exit_wrong && contains text "WEFT_EXPLORE" ->
          Error (String.trim text)
      | WEXITED 127, None when text = "" ->
          Error (Printf.sprintf "cannot run %s" (Foreign_text.line (List.hd command)))
      | WEXITED _, None when not late ->
          Error
            (Printf.sprintf
               "%s cannot be explored: it is not linked with Weft, or with a Weft that is too old"
               (Foreign_text.line (List.hd command)))
      | _ ->
          let decisions = match record with Some r -> r.decisions | None -> Explore_settings.usual_length in
          Ok { Search.failure = failure_of status ~late ~seconds ~text; decisions; record })
