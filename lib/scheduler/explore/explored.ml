type ready = { task : Job.task; name : string }

let say_and_leave code fmt =
  Printf.ksprintf
    (fun text ->
      Weft_platform.Say.line "%s" text;
      Unix._exit code)
    fmt

let exit_wrong = 124
let exit_livelock = 125
let variable = "WEFT_EXPLORE"

let settings =
  match Sys.getenv_opt variable with
  | None | Some "" -> None
  | Some text -> (
      (* Programs that this one starts are not explored. *)
      Unix.putenv variable "";
      match Explore_settings.of_string text with
      | Ok s -> Some s
      | Error why -> say_and_leave exit_wrong "%s: %s" variable why)

let on = Option.is_some settings
let domains = 4

let usual =
  Option.value settings ~default:{ seed = 0; strategy = First; replay = None; record = None; patience = 1 }

let plan =
  let schedule =
    Option.map
      (fun file ->
        match Schedule_file.read file with
        | Ok choices -> choices
        | Error why -> say_and_leave exit_wrong "%s: %s: %s" variable file why)
      usual.replay
  in
  Explore_plan.make ?schedule usual

(* Far above what the real clock shows, so that no alarm goes off by itself; and far below [max_int]. *)
let () = if on then Timer_thread.set_virtual (1 lsl 60)
let jump_to time = if time > Timer_thread.now () then Timer_thread.set_virtual time

(* --- names --- *)

let current = ref "0"
let doing = ref ""
let calls = ref 0
let numbers : (string, int) Hashtbl.t = Hashtbl.create 64
let points : (string, int) Hashtbl.t = Hashtbl.create 64
let since_progress = ref 0

let count table key =
  let n = 1 + Option.value (Hashtbl.find_opt table key) ~default:0 in
  Hashtbl.replace table key n;
  n

let longest_name = 60

let child parent =
  since_progress := 0;
  if String.length parent > longest_name then Printf.sprintf "#%d" (count numbers "#")
  else Printf.sprintf "%s.%d" parent (count numbers parent)

type wait = Join of Job.task | Claim of bool Atomic.t

let same a b =
  match (a, b) with
  | Join a, Join b -> a == b
  | Claim a, Claim b -> a == b
  | Join _, Claim _ | Claim _, Join _ -> false

(* Fibers that wait, and for what; and the names of the jobs that are ready. *)
let waiting : (wait * string) list ref = ref []
let known : ready list ref = ref []
let chosen = ref Job.nil

let waits ~what wait =
  doing := "waits: " ^ what;
  waiting := (wait, !current) :: !waiting

let name task name = known := !known @ [ { task; name } ]

let is_ready wait task =
  since_progress := 0;
  let woken, others = List.partition (fun (other, _) -> same other wait) !waiting in
  waiting := others;
  List.iter (fun (_, fiber) -> name task fiber) woken

let makes_way task ~for_ =
  name task !current;
  chosen := for_

let yields task =
  if on then begin
    doing := "yields";
    name task !current
  end

(* Mostly, the jobs are those of the last time in the same order. *)
let names tasks =
  let new_name task =
    match List.find_opt (fun r -> r.task == task) !known with
    | Some r -> r
    | None -> { task; name = child !current }
  in
  let rec go tasks known =
    match (tasks, known) with
    | [], _ -> []
    | task :: tasks, r :: known when r.task == task -> r :: go tasks known
    | task :: tasks, known ->
        let r = new_name task in
        r :: go tasks known
  in
  known := go tasks !known;
  !known

let runs task =
  (current :=
     match List.find_opt (fun r -> r.task == task) !known with
     | Some r -> r.name
     | None ->
         incr calls;
         string_of_int (!calls - 1));
  known := List.filter (fun r -> r.task != task) !known;
  doing := "ends"

(* What the others cost where nothing is explored. *)
let[@inline] joins fork = if on then waits ~what:"join" (Join fork)
let[@inline] joined fork task = if on then is_ready (Join fork) task
let[@inline] wait_as ~what claimed = if on then waits ~what (Claim claimed)
let[@inline] woken claimed task = if on then is_ready (Claim claimed) task
let[@inline] begins task = if on then runs task
let self () = !current
let return_to name = current := name

(* --- the record --- *)

let record = Buffer.create 1024
let longest_record = 16 * 1024 * 1024
let own_process = Unix.getpid ()

let site () =
  let user's slot =
    match Printexc.Slot.(name slot, location slot) with
    | Some name, Some at when not (Own_frames.is_own name || Own_frames.is_stdlib name) ->
        Some (Printf.sprintf "%s:%d" (Filename.basename at.filename) at.line_number)
    | _ -> None
  in
  let slots = Option.value (Printexc.backtrace_slots (Printexc.get_callstack 40)) ~default:[||] in
  Option.value (List.find_map user's (Array.to_list slots)) ~default:"-"

let note ~fiber ~point ~takes ~stays options =
  if Buffer.length record < longest_record then
    let site = if stays then String.escaped (site ()) else "-" in
    Buffer.add_string record
      (String.concat "\t" (fiber :: string_of_int point :: takes :: String.escaped !doing :: site :: options)
      ^ "\n")

let write ~ended =
  match usual.record with
  | Some file when Unix.getpid () = own_process -> (
      let is_cut = Buffer.length record >= longest_record in
      try
        Out_channel.with_open_gen [ Open_wronly; Open_creat; Open_trunc; Open_binary ] 0o600 file
        @@ fun out ->
        Printf.fprintf out "weft-exploration 1\nchoices %d\nmisfits %d\ncut %b\nended %s\n"
          (Explore_plan.choices plan) (Explore_plan.misfits plan) is_cut ended;
        Buffer.output_buffer out record
      with Sys_error why -> Weft_platform.Say.line "%s: the record: %s" variable why)
  | _ -> ()

let () = if on then at_exit (fun () -> write ~ended:"exit")

(* --- choosing --- *)

let livelock () =
  write ~ended:"livelock";
  say_and_leave exit_livelock "livelock: at %d points in a row no fiber began or was woken" usual.patience

let choose ~stays ready =
  incr since_progress;
  if !since_progress > usual.patience then livelock ();
  let fiber = !current in
  let point = count points fiber in
  let options = List.map (fun r -> r.name) ready in
  let options = if stays then fiber :: options else options in
  let takes =
    match options with
    | [ only ] -> only
    | _ -> Explore_plan.choose plan ~fiber ~point ~yields:(!doing = "yields") options
  in
  (* After an idle moment nobody was doing anything. *)
  if usual.record <> None && !doing <> "" then note ~fiber ~point ~takes ~stays options;
  takes

let switch ~what tasks =
  let ready = names tasks in
  doing := what;
  let takes = choose ~stays:true ready in
  doing := "ends";
  match List.find_opt (fun r -> r.name = takes) ready with
  | Some r when takes <> !current ->
      doing := "makes way";
      Some r.task
  | _ -> None

let next tasks =
  let ready = names tasks and promised = !chosen in
  chosen := Job.nil;
  if List.exists (fun r -> r.task == promised) ready then promised
  else
    match ready with
    | [] ->
        (* It stands in the record once. *)
        if usual.record <> None && !doing <> "" then note ~fiber:!current ~point:0 ~takes:"-" ~stays:false [];
        doing := "";
        Job.nil
    | _ ->
        let takes = choose ~stays:false ready in
        (List.find (fun r -> r.name = takes) ready).task
