module Whole_file = Weft_files.Whole_file
module Ring_file = Weft_trace.Ring_file

type options = {
  output : string option;
  format : Writer.format option;
  last : float option;
  quiet : bool;
  rings : string;
  program : string option;
}

let ( let* ) = Result.bind
let is_rings path = path <> "-" && Option.is_some (Ring_file.head path)

(* --- whose they are --- *)

type origin = {
  pid : int;
  began_at : float;
  program : string option;
  executable : string option;  (** the file that has the lines *)
  outcome : Event.outcome;
}

let seconds ns = float_of_int ns *. 1e-9
let changed path = match Unix.stat path with s -> Some s.st_mtime | exception Unix.Unix_error _ -> None

(* The lines of an executable file that was built later would be wrong. *)
let unchanged program ~who ~at =
  let without why =
    Trace_run.complain who
      (Printf.sprintf
         "%s %s, so lines are left out; 'weft trace --rings FILE -- PROGRAM' takes them from another file"
         program why);
    None
  in
  match changed program with
  | None -> without "is not there"
  | Some time when time > at -> without "has been built anew since the dump"
  | Some _ -> Some program

let pid_of_name rings =
  Option.bind (Filename.chop_suffix_opt ~suffix:".events" (Filename.basename rings)) int_of_string_opt

(* Numbers of processes come again. *)
let writes_into rings pid =
  match Process.find_rings pid with
  | Error _ -> false
  | Ok (dir, number) -> (
      match (Unix.stat (Rings.path ~dir ~pid:number), Unix.stat rings) with
      | a, b -> a.st_dev = b.st_dev && a.st_ino = b.st_ino
      | exception Unix.Unix_error _ -> false)

(* Rings that a killed program left may hold the note of an earlier dump. *)
let origin (options : options) ~who (copy : Rings.copy) =
  let of_name = pid_of_name options.rings in
  let outcome_of pid : Event.outcome = if writes_into options.rings pid then Running else Ended in
  match copy.dumped with
  | Some (time, Dumped { pid; at; program }) ->
      let at = float_of_int at *. 1e-6 in
      let named = Option.value options.program ~default:program in
      let executable =
        match options.program with Some _ as given -> given | None -> unchanged program ~who ~at
      in
      let outcome : Event.outcome = if of_name = Some pid then outcome_of pid else Running in
      { pid; began_at = at -. seconds (time - copy.from); program = Some named; executable; outcome }
  | _ ->
      let last_write = Option.value (changed options.rings) ~default:0. in
      {
        pid = Option.value of_name ~default:0;
        began_at = last_write -. seconds (copy.until - copy.from);
        program = options.program;
        executable = options.program;
        outcome = Option.fold of_name ~none:Event.Ended ~some:outcome_of;
      }

(* --- the whole --- *)

(* OCaml's reader takes a folder and the number of a process. *)
let pid_in_copy = 1

let with_copy rings f =
  Weft_files.Own_folder.within "weft-rings-" @@ fun dir ->
  match Out_channel.with_open_bin (Rings.path ~dir ~pid:pid_in_copy) (Ring_file.copy rings) with
  | () -> f dir
  | exception Sys_error why -> Error why

let tell_overwritten ~who rings =
  match Ring_file.overwritten rings with
  | [] -> ()
  | missing ->
      Trace_run.complain who
        (Printf.sprintf "what domain %s did is missing: its events were overwritten while they were copied"
           (String.concat ", " (List.map string_of_int missing)))

let read (options : options) session dir origin =
  match Session.open_copy ?program:origin.executable session ~dir ~pid:pid_in_copy with
  | Error why ->
      Session.abandon session;
      Error (options.rings ^ ": " ^ why)
  | Ok () ->
      let program = Option.value origin.program ~default:(Printf.sprintf "process %d" origin.pid) in
      Session.finish session ~program ~arguments:[] ~by:`Rings ~outcome:origin.outcome

let trace (options : options) ~who ~format path =
  with_copy options.rings @@ fun dir ->
  let* copy = Result.map_error (fun why -> options.rings ^ ": " ^ why) (Rings.survey ~dir ~pid:pid_in_copy) in
  tell_overwritten ~who (Rings.path ~dir ~pid:pid_in_copy);
  let origin = origin options ~who copy in
  let* file = Trace_run.opened ~input:options.rings ~output:options.output path in
  match
    Session.create ~file ~format ?last:options.last ~history:true ~began_at:origin.began_at ~began:copy.from
      ~pid:origin.pid ()
  with
  | exception Sys_error why ->
      Whole_file.abandon file;
      Error ("cannot make a temporary file: " ^ why)
  | session -> read options session dir origin

let run (options : options) =
  let format = Trace_run.format_of options.format options.output in
  let path =
    match options.output with
    | Some path -> path
    | None -> Filename.remove_extension (Filename.basename options.rings) ^ ".trace" ^ Writer.extension format
  in
  match trace options ~who:"trace" ~format path with
  | Ok result ->
      Trace_run.tell_result ~quiet:options.quiet "trace" path result;
      0
  | Error why ->
      Trace_run.complain "trace" why;
      Trace_run.exit_wrong

let convert ~who rings ~into =
  let options = { output = None; format = None; last = None; quiet = true; rings; program = None } in
  Result.map ignore (trace options ~who ~format:Json into)
