type options = {
  output : string option;
  format : Writer.format option;
  last : float option;
  seconds : float option;
  quiet : bool;
  pid : int;
}

let complain = Trace_run.complain "attach"
let exit_wrong = Trace_run.exit_wrong

module Whole_file = Weft_files.Whole_file

(* --- following --- *)

let seconds_between = 0.005

let follow session options ~stop =
  let until = Option.map (fun s -> Unix.gettimeofday () +. s) options.seconds in
  let time_is_up () = match until with Some t -> Unix.gettimeofday () >= t | None -> false in
  let rec go rounds : Event.outcome =
    let more = Session.advance session in
    if !stop || time_is_up () then Running
    else if Session.has_stopped session || (rounds mod 20 = 0 && Process.is_dead options.pid) then Ended
    else begin
      if not more then Unix.sleepf seconds_between;
      go (rounds + 1)
    end
  in
  go 1

let finished options path session ~program ~arguments outcome =
  match Session.finish session ~program ~arguments ~by:`Attach ~outcome with
  | Ok result ->
      Trace_run.tell_result ~quiet:options.quiet "attach" path result;
      0
  | Error why ->
      complain why;
      exit_wrong

let attached options path session =
  let stop = ref false in
  let handle signal = Sys.set_signal signal (Signal_handle (fun _ -> stop := true)) in
  List.iter handle Sys.[ sigint; sigterm; sighup ];
  let program, arguments = Process.command_of options.pid in
  match follow session options ~stop with
  | outcome -> finished options path session ~program ~arguments outcome
  | exception Sys_error why ->
      Session.abandon session;
      complain (Session.cannot_write session why);
      exit_wrong

let run options =
  let format = Trace_run.format_of options.format options.output in
  let path =
    match options.output with
    | Some path -> path
    | None -> Printf.sprintf "%d.trace%s" options.pid (Writer.extension format)
  in
  let failed why =
    complain why;
    exit_wrong
  in
  match Process.find_rings options.pid with
  | Error why -> failed why
  | Ok (dir, number) -> (
      match Trace_run.opened ~output:options.output path with
      | Error why -> failed why
      | Ok file -> (
          match
            Session.create ~file ~format ?last:options.last ~history:true
              ~began:(Weft_platform.Timer_thread.now ()) ~pid:options.pid ()
          with
          | exception Sys_error why ->
              Whole_file.abandon file;
              failed ("cannot make a temporary file: " ^ why)
          | session -> (
              match Session.open_rings session ~process:options.pid ~dir ~pid:number with
              | Error why ->
                  Session.abandon session;
                  failed (Printf.sprintf "the rings of process %d cannot be read: %s" options.pid why)
              | Ok () -> attached options path session)))
