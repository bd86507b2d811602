open Weft_bench_harness

exception Failed of string

let () = Printexc.register_printer (function Failed message -> Some message | _ -> None)

type t = {
  name : string;
  limit : float;
  pid : int;
  requests : Unix.file_descr;
  answers : Unix.file_descr;
  complaints : Unix.file_descr;  (** an unlinked file that gets the program's standard error *)
  mutable rest : string;  (** output after the last complete line *)
  mutable alive : bool;
}

let alive : t list ref = ref []
let is_alive t = t.alive
let now () = Mtime.Span.to_float_ns (Mtime_clock.elapsed ()) /. 1e9
let rec uninterrupted f = try f () with Unix.Unix_error (EINTR, _, _) -> uninterrupted f

(* {1 The end} *)

let reap t =
  t.alive <- false;
  alive := List.filter (fun other -> other != t) !alive;
  let _, status = uninterrupted (fun () -> Unix.waitpid [] t.pid) in
  List.iter Unix.close [ t.requests; t.answers ];
  status

let kill t = try Unix.kill t.pid Sys.sigkill with Unix.Unix_error _ -> ()

let stop t =
  if t.alive then (
    kill t;
    ignore (reap t : Unix.process_status);
    Unix.close t.complaints)

let stop_all () = List.iter stop !alive
let () = at_exit stop_all

let last_complaint t =
  let channel = Unix.in_channel_of_descr t.complaints in
  seek_in channel 0;
  let lines = String.split_on_char '\n' (In_channel.input_all channel) in
  close_in channel;
  match List.rev (List.filter (fun line -> String.trim line <> "") lines) with
  | [] -> ""
  | last :: _ -> Printf.sprintf " (its last words: %s)" (String.trim last)

(* [fail t what] ends the process and raises {!Failed}. *)
let fail t what =
  kill t;
  ignore (reap t : Unix.process_status);
  raise (Failed (Printf.sprintf "the program %s %s%s" t.name what (last_complaint t)))

let how_it_ended = function
  | Unix.WEXITED code -> Printf.sprintf "with exit code %d" code
  | WSIGNALED signal | WSTOPPED signal -> (
      match
        List.assoc_opt signal Sys.[ (sigsegv, "SIGSEGV"); (sigabrt, "SIGABRT"); (sigkill, "SIGKILL") ]
      with
      | Some name -> "by " ^ name
      | None -> Printf.sprintf "by a signal (OCaml's number %d)" signal)

(* The process has closed its output: it gets a second to end, then it is killed. *)
let fail_of_end t =
  let rec wait left =
    if left = 0 then kill t
    else if Option.is_some (Proc.running_seconds ~pid:t.pid) then (
      Unix.sleepf 0.01;
      wait (left - 1))
  in
  wait 100;
  match reap t with
  (* Control-C at the terminal interrupts this program too. *)
  | WSIGNALED signal when signal = Sys.sigint -> raise Sys.Break
  | status ->
      let message =
        Printf.sprintf "the program %s ended %s, without an answer" t.name (how_it_ended status)
      in
      raise (Failed (message ^ last_complaint t))

(* {1 Lines} *)

let show text = if String.length text > 60 then String.sub text 0 60 ^ "..." else text

(* [read_line t deadline] is the next line of the program's output, without the line end. *)
let rec read_line t deadline =
  match String.index_opt t.rest '\n' with
  | Some i ->
      let line = String.sub t.rest 0 i in
      t.rest <- String.sub t.rest (i + 1) (String.length t.rest - i - 1);
      line
  | None when String.length t.rest > 65_536 ->
      fail t (Printf.sprintf "does not answer in lines: '%s'" (String.escaped (show t.rest)))
  | None -> (
      let left = deadline -. now () in
      if left <= 0. then fail t (Printf.sprintf "has not answered within %g s" t.limit)
      else
        match Unix.select [ t.answers ] [] [] left with
        | exception Unix.Unix_error (EINTR, _, _) -> read_line t deadline
        | [], _, _ -> read_line t deadline
        | _ -> (
            let block = Bytes.create 4096 in
            match uninterrupted (fun () -> Unix.read t.answers block 0 (Bytes.length block)) with
            | 0 -> fail_of_end t
            | n ->
                t.rest <- t.rest ^ Bytes.sub_string block 0 n;
                read_line t deadline))

let read_line t =
  try read_line t (now () +. t.limit)
  with e ->
    stop t;
    raise e

(* If the program has ended, SIGPIPE must not end this one. The next read finds out why the program
   ended. *)
let write_line t line =
  let line = line ^ "\n" in
  let before = Sys.signal Sys.sigpipe Signal_ignore in
  Fun.protect
    ~finally:(fun () -> Sys.set_signal Sys.sigpipe before)
    (fun () ->
      try ignore (uninterrupted (fun () -> Unix.write_substring t.requests line 0 (String.length line)) : int)
      with Unix.Unix_error (EPIPE, _, _) -> ())

(* {1 The processes} *)

let greeting = "weft-rival 1"

let nameless_file () =
  Interrupts.whole @@ fun () ->
  let path = Filename.temp_file "weft-rival" ".err" in
  let fd = Unix.openfile path [ O_RDWR; O_CLOEXEC ] 0o600 in
  Sys.remove path;
  fd

let start ~name ~program ~domains ~limit =
  let child_input, requests = Unix.pipe ~cloexec:true () in
  let answers, child_output = Unix.pipe ~cloexec:true () in
  let complaints = nameless_file () in
  let close = List.iter Unix.close in
  match
    Unix.create_process program [| program; string_of_int domains |] child_input child_output complaints
  with
  | exception Unix.Unix_error (error, _, _) ->
      close [ child_input; requests; answers; child_output; complaints ];
      raise (Failed (Printf.sprintf "the program %s cannot be started: %s" name (Unix.error_message error)))
  | pid -> (
      close [ child_input; child_output ];
      let t = { name; limit; pid; requests; answers; complaints; rest = ""; alive = true } in
      alive := t :: !alive;
      match read_line t with
      | line when String.equal line greeting -> t
      | line ->
          fail t (Printf.sprintf "begins with '%s' instead of '%s'" (String.escaped (show line)) greeting))

type answer = { result : string; sample : Meter.sample }

let parse t line =
  let garbage () = fail t (Printf.sprintf "answered '%s'" (String.escaped (show line))) in
  match Yojson.Safe.from_string line with
  | exception Yojson.Json_error _ -> garbage ()
  | `Assoc fields -> (
      match
        (List.assoc_opt "error" fields, List.assoc_opt "seconds" fields, List.assoc_opt "result" fields)
      with
      | Some (`String message), _, _ -> fail t ("cannot: " ^ show message)
      | None, Some (`Float seconds), Some (`String result) when Float.is_finite seconds && seconds >= 0. ->
          (seconds, result)
      | None, Some (`Int seconds), Some (`String result) when seconds >= 0 -> (float_of_int seconds, result)
      | _ -> garbage ())
  | _ -> garbage ()

let ask t ~benchmark ~size ~cutoff =
  let pid = t.pid in
  Proc.reset_peak_memory ~pid ();
  let threads = Proc.threads ~pid () and cpu = Proc.cpu_seconds ~pid in
  write_line t (Printf.sprintf "%s %d %d" benchmark size (Option.value cutoff ~default:0));
  let seconds, result = parse t (read_line t) in
  let switches =
    match (threads, Proc.threads ~pid ()) with
    | Some before, Some after -> Some (Proc.switches ~before ~after)
    | _ -> None
  in
  let cpu_seconds =
    match (cpu, Proc.cpu_seconds ~pid) with Some before, Some after -> after -. before | _ -> 0.
  in
  let peak_bytes = Proc.peak_memory ~pid () in
  {
    result;
    sample =
      { seconds; cpu_seconds; switches; minor_collections = None; major_collections = None; peak_bytes };
  }

let resident_bytes t = if t.alive then Option.value (Proc.resident_memory ~pid:t.pid ()) ~default:0 else 0

let settle t =
  let glance = 0.02 and little = 0.001 in
  let deadline = now () +. 2. in
  let rec go before =
    Unix.sleepf glance;
    match (before, Proc.running_seconds ~pid:t.pid) with
    | Some was, Some is when is -. was > little && now () < deadline -> go (Some is)
    | _ -> ()
  in
  if t.alive then go (Proc.running_seconds ~pid:t.pid)
