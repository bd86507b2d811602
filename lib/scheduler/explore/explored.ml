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

let on = ref (Option.is_some settings)
let domains = 4

(* Far above what the real clock shows, so that no alarm goes off by itself; and far below [max_int]. *)
let virtual_start = 1 lsl 60
let () = if !on then Timer_thread.set_virtual virtual_start
let jump_to time = if time > Timer_thread.now () then Timer_thread.set_virtual time

(* --- an exploration --- *)

type wait = Join of Job.task | Claim of Claim.t

type exploration = {
  settings : Explore_settings.t;
  plan : Explore_plan.t;
  record : Buffer.t option;  (** all that was chosen *)
  livelock : unit -> unit;
  mutable ending : exn option;  (** raised in each fiber at its points *)
  mutable current : string;  (** the fiber that runs *)
  mutable doing : string;  (** what it is about to do; [""] after an idle moment *)
  mutable calls : int;  (** how many fibers came from outside: they are 0, 1, ... *)
  numbers : (string, int) Hashtbl.t;  (** of the last child of each fiber *)
  points : (string, int) Hashtbl.t;  (** of each fiber, so far *)
  mutable since_progress : int;
      (** points since a fiber last began or was woken, but for wakes by time that passed while one was ready
      *)
  mutable hurries : bool;  (** time has just passed while a fiber was ready *)
  mutable waiting : (wait * string) list;  (** fibers that wait, and for what *)
  mutable known : ready list;  (** the names of the jobs that are ready *)
  mutable chosen : Job.task;  (** what {!makes_way} has promised the next turn, or nil *)
}

let make ?schedule ~record ~livelock (settings : Explore_settings.t) =
  {
    settings;
    plan = Explore_plan.make ?schedule settings;
    record = (if record then Some (Buffer.create 1024) else None);
    livelock;
    ending = None;
    current = "0";
    doing = "";
    calls = 0;
    numbers = Hashtbl.create 64;
    points = Hashtbl.create 64;
    since_progress = 0;
    hurries = false;
    waiting = [];
    known = [];
    chosen = Job.nil;
  }

(* At first one that nobody asks. *)
let exploration = ref (make ~record:false ~livelock:ignore Explore_settings.usual)

(* --- names --- *)

let count table key =
  let n = 1 + Option.value (Hashtbl.find_opt table key) ~default:0 in
  Hashtbl.replace table key n;
  n

let longest_name = 60

let child parent =
  let e = !exploration in
  e.since_progress <- 0;
  if String.length parent > longest_name then Printf.sprintf "#%d" (count e.numbers "#")
  else Printf.sprintf "%s.%d" parent (count e.numbers parent)

let same a b =
  match (a, b) with
  | Join a, Join b -> a == b
  | Claim a, Claim b -> a == b
  | Join _, Claim _ | Claim _, Join _ -> false

let waits ~what wait =
  let e = !exploration in
  e.doing <- "waits: " ^ what;
  e.waiting <- (wait, e.current) :: e.waiting

let name task name = !exploration.known <- !exploration.known @ [ { task; name } ]

let becomes_ready wait task =
  let e = !exploration in
  if not e.hurries then e.since_progress <- 0;
  let woken, others = List.partition (fun (other, _) -> same other wait) e.waiting in
  e.waiting <- others;
  List.iter (fun (_, fiber) -> name task fiber) woken

let makes_way task ~for_ =
  name task !exploration.current;
  !exploration.chosen <- for_

let yields task =
  if !on then begin
    !exploration.doing <- "yields";
    name task !exploration.current
  end

(* Mostly, the jobs are those of the last time in the same order. *)
let names tasks =
  let e = !exploration in
  let new_name task =
    match List.find_opt (fun r -> r.task == task) e.known with
    | Some r -> r
    | None -> { task; name = child e.current }
  in
  let rec go tasks known =
    match (tasks, known) with
    | [], _ -> []
    | task :: tasks, r :: known when r.task == task -> r :: go tasks known
    | task :: tasks, known ->
        let r = new_name task in
        r :: go tasks known
  in
  let known = go tasks e.known in
  e.known <- known;
  known

let set_current task =
  let e = !exploration in
  e.current <-
    (match List.find_opt (fun r -> r.task == task) e.known with
    | Some r -> r.name
    | None ->
        e.calls <- e.calls + 1;
        string_of_int (e.calls - 1));
  e.known <- List.filter (fun r -> r.task != task) e.known;
  e.doing <- "ends"

(* What the others cost where nothing is explored. *)
let[@inline] joins fork = if !on then waits ~what:"join" (Join fork)
let[@inline] joined fork task = if !on then becomes_ready (Join fork) task
let[@inline] wait_as ~what claim = if !on then waits ~what (Claim claim)
let[@inline] woken claim task = if !on then becomes_ready (Claim claim) task
let[@inline] begins task = if !on then set_current task
let look () = Option.iter raise !exploration.ending
let end_all exn = !exploration.ending <- Some exn
let self () = !exploration.current
let return_to name = !exploration.current <- name

(* --- the record --- *)

let longest_record = 16 * 1024 * 1024

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
  let e = !exploration in
  match e.record with
  | Some record when e.doing <> "" && Buffer.length record < longest_record ->
      let site = if stays then String.escaped (site ()) else "-" in
      Buffer.add_string record
        (String.concat "\t"
           (fiber :: string_of_int point :: takes :: String.escaped e.doing :: site :: options)
        ^ "\n")
  | Some _ | None -> ()

let decisions () = Explore_plan.decisions !exploration.plan

let recorded ~ended =
  let text record =
    Printf.sprintf "weft-exploration 1\nchoices %d\nmisfits %d\ncut %b\nended %s\n%s" (decisions ())
      (Explore_plan.misfits !exploration.plan)
      (Buffer.length record >= longest_record)
      ended (Buffer.contents record)
  in
  Option.map text !exploration.record

(* --- choosing --- *)

(* Each point takes a nanosecond, so that the timers of two fibers are due one after the other. *)
let choose ~stays ~time ready =
  let e = !exploration in
  e.hurries <- false;
  if e.settings.timers then jump_to (Timer_thread.now () + 1);
  e.since_progress <- e.since_progress + 1;
  if e.since_progress > e.settings.patience then e.livelock ();
  let fiber = e.current in
  let point = count e.points fiber in
  let options = List.map (fun r -> r.name) ready in
  let options = if stays then fiber :: options else options in
  let options = if time && e.settings.timers then options @ [ Schedule_file.time ] else options in
  let takes =
    match options with
    | [ only ] -> only
    | _ -> Explore_plan.choose e.plan ~fiber ~point ~yields:(e.doing = "yields") options
  in
  note ~fiber ~point ~takes ~stays options;
  e.hurries <- takes = Schedule_file.time;
  takes

type choice = Nothing_else | Job of Job.task | Time

let switch ~what ~time tasks =
  let ready = names tasks in
  let e = !exploration in
  e.doing <- what;
  let takes = choose ~stays:true ~time ready in
  e.doing <- "ends";
  if e.hurries then Time
  else
    match List.find_opt (fun r -> r.name = takes) ready with
    | Some r when takes <> e.current ->
        e.doing <- "makes way";
        Job r.task
    | _ -> Nothing_else

let next ~time tasks =
  let ready = names tasks in
  let e = !exploration in
  let promised = e.chosen in
  e.chosen <- Job.nil;
  if List.exists (fun r -> r.task == promised) ready then Job promised
  else
    match ready with
    | [] ->
        (* It stands in the record once. *)
        note ~fiber:e.current ~point:0 ~takes:"-" ~stays:false [];
        e.doing <- "";
        e.hurries <- false;
        Nothing_else
    | _ ->
        let takes = choose ~stays:false ~time ready in
        if e.hurries then Time else Job (List.find (fun r -> r.name = takes) ready).task

(* --- a whole program --- *)

let livelock_message patience = Printf.sprintf "at %d points in a row no fiber began or was woken" patience
let own_process = Unix.getpid ()

(* The system's own reasons begin with the name, as it is. *)
let reason file why =
  let n = String.length file + 2 in
  if String.starts_with ~prefix:(file ^ ": ") why then String.sub why n (String.length why - n) else why

let write (settings : Explore_settings.t) ~ended =
  match settings.record with
  | Some file when Unix.getpid () = own_process -> (
      let text = Option.get (recorded ~ended) in
      try
        Out_channel.with_open_gen [ Open_wronly; Open_creat; Open_trunc; Open_binary ] 0o600 file
        @@ fun out -> output_string out text
      with Sys_error why -> Weft_platform.Say.line "%s: the record %S: %s" variable file (reason file why))
  | _ -> ()

let explore_program (settings : Explore_settings.t) =
  let read file =
    match Schedule_file.read file with
    | Ok choices -> choices
    | Error why -> say_and_leave exit_wrong "%s: %S: %s" variable file (reason file why)
  in
  let livelock () =
    write settings ~ended:"livelock";
    say_and_leave exit_livelock "livelock: %s" (livelock_message settings.patience)
  in
  let schedule = Option.map read settings.replay in
  exploration := make ?schedule ~record:(settings.record <> None) ~livelock settings;
  at_exit (fun () -> write settings ~ended:"exit")

let () = Option.iter explore_program settings

(* --- a function of this program --- *)

let is_whole_program = Option.is_some settings
let is_function () = !on && not is_whole_program

let run_function ?schedule ~record ~livelock settings f =
  exploration := make ?schedule ~record ~livelock settings;
  Timer_thread.set_virtual virtual_start;
  on := true;
  Fun.protect f ~finally:(fun () ->
      on := false;
      Timer_thread.set_virtual 0)
