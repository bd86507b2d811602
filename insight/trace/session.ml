module Timer_thread = Weft_platform.Timer_thread
module Machine = Weft_platform.Machine
module Whole_file = Weft_files.Whole_file

type t = {
  file : Whole_file.writing;
  pid : int;
  began : int;
  began_at : float;
  writer : Writer.t;
  timeline : Timeline.t;
  cpu_at_first : Machine.cpu_time option;
  own_cpu_at_first : int;
  mutable rings : Rings.t option;
  mutable damaged : string option;
  last : float option;
  mutable process : Processor_time.t option;
  mutable told_cpu : int;
  mutable told_process : int;
  mutable last_told : Processor_time.told option;
  executable : Executable.t option ref;
}

(* The processor time of this process, without its children. *)
let own_cpu () =
  let t = Unix.times () in
  Float.to_int (1e9 *. (t.tms_utime +. t.tms_stime))

let create ~file ~format ?last ?(history = false) ?began_at ~began ~pid () =
  let writer = Writer.create file format ?last ~began ~pid () and executable = ref None in
  let line place = Option.bind !executable (fun e -> Executable.line e place) in
  {
    file;
    pid;
    began;
    began_at =
      (match began_at with
      | Some time -> time
      | None -> Unix.gettimeofday () -. (float_of_int (Timer_thread.now () - began) *. 1e-9));
    writer;
    timeline = Timeline.create ~line ~from:began ~live:(not history) (Writer.event writer);
    cpu_at_first = Machine.cpu_time ();
    own_cpu_at_first = own_cpu ();
    rings = None;
    damaged = None;
    last;
    process = None;
    told_cpu = began;
    told_process = began;
    last_told = None;
    executable;
  }

let cannot_write s why = Whole_file.failed s.file why
let has_rings s = Option.is_some s.rings
let has_stopped s = match s.rings with Some rings -> Rings.has_stopped rings | None -> false

let guarded s f =
  match s.rings with
  | Some rings when s.damaged = None -> (
      try f rings
      with Failure why ->
        s.damaged <- Some why;
        Timeline.damaged s.timeline;
        false)
  | _ -> false

let drain s =
  ignore
    (guarded s (fun rings ->
         Rings.drain rings;
         true))

(* {1 The process} *)

(* In the first second as often as short programs need it, which costs a hundredth of a processor; later
   less often. *)
let between_looks s = if s.told_process - s.began < 1_000_000_000 then 20_000_000 else 100_000_000

let add_cpu s time cpu ~more =
  Timeline.add s.timeline
    {
      time;
      track = 0;
      category = Machine;
      name = "process";
      shape = Counter 0;
      arguments = ("cpu_us", Event.Int (cpu / 1000)) :: more;
    }

let add_process s time ({ sum = { cpu; waiting }; processors } as told : Processor_time.told) =
  s.last_told <- Some told;
  let processors = Option.map (fun n -> ("processors", Event.Int n)) processors in
  add_cpu s time cpu ~more:(("waiting_us", Int (waiting / 1000)) :: Option.to_list processors)

let tell_process s =
  let now = Timer_thread.now () in
  s.told_process <- now;
  Option.iter (add_process s now) (Option.bind s.process Processor_time.read)

(* Tells the processor time since the last look: nothing else is known of a process that has ended. *)
let tell_process_at_end s ~cpu =
  let time = max s.told_process (Timeline.last_time s.timeline) in
  match (cpu, s.last_told) with
  | None, _ -> tell_process s
  | Some cpu, Some ({ sum; _ } as last) ->
      if cpu > sum.cpu then add_process s time { last with sum = { sum with cpu } }
  (* The process had ended before the first look. *)
  | Some cpu, None -> add_cpu s time cpu ~more:[]

let executables ?process ?program pid =
  let proc = Printf.sprintf "/proc/%d/exe" (Option.value process ~default:pid) in
  proc :: Option.to_list program

let open_rings ?process ?program s ~dir ~pid =
  s.executable := Executable.load (executables ?process ?program pid);
  match Rings.open_ ~dir ~pid s.timeline with
  | Error why -> Error why
  | Ok rings ->
      s.rings <- Some rings;
      if not (Timeline.is_live s.timeline) then begin
        drain s;
        Timeline.go_live s.timeline
      end;
      s.process <- Some (Processor_time.create ~pid:(Option.value process ~default:pid) ());
      tell_process s;
      Ok ()

let open_copy ?program s ~dir ~pid =
  s.executable := Executable.load (Option.to_list program);
  let read rings =
    s.rings <- Some rings;
    drain s;
    Timeline.go_live s.timeline
  in
  Result.map read (Rings.open_ ~copied:true ~dir ~pid s.timeline)

(* {1 The machine} *)

let between = 100_000_000
let ms_in_a_tick = 10

let tell_cpu s =
  let now = Timer_thread.now () in
  if now - s.told_cpu >= between then begin
    s.told_cpu <- now;
    match (s.cpu_at_first, Machine.cpu_time ()) with
    | Some before, Some after ->
        let ms now before = Event.Int ((now - before) * ms_in_a_tick) in
        Timeline.add s.timeline
          {
            time = now;
            track = 0;
            category = Machine;
            name = "cpu";
            shape = Counter 0;
            arguments =
              [ ("total_ms", ms after.total before.total); ("steal_ms", ms after.steal before.steal) ];
          }
    | _ -> ()
  end

let advance s =
  let n = if guarded s (fun rings -> Rings.poll rings > 0) then 1 else 0 in
  tell_cpu s;
  if Timer_thread.now () - s.told_process >= between_looks s then tell_process s;
  Writer.flush s.writer;
  n > 0

(* {1 The end} *)

type result = {
  events : int;
  seconds : float;
  domains : int;
  lost : Event.lost;
  of_weft : bool;
  other_version : bool;
  damaged : string option;
}

let about s ~program ~arguments ~by ~outcome : Event.about =
  let t = s.timeline in
  {
    program;
    arguments;
    pid = s.pid;
    by;
    outcome;
    began = s.began;
    began_at = s.began_at;
    ended = Timeline.end_time t;
    last = s.last;
    events = Timeline.events t;
    unmatched = Timeline.unmatched t;
    read = Timeline.read t;
    lost = Timeline.losses t;
    damaged = s.damaged;
    tracer_cpu = (if by = `Rings then None else Some (own_cpu () - s.own_cpu_at_first));
    workers = Timeline.workers t;
    fibers = Timeline.fibers t;
    tracks = Timeline.tracks t;
    weft = Build.version;
  }

let close s =
  Option.iter Rings.close s.rings;
  s.rings <- None

let abandon s =
  close s;
  Writer.abandon s.writer;
  Whole_file.abandon s.file

let finish ?cpu s ~program ~arguments ~by ~outcome =
  match
    drain s;
    tell_process_at_end s ~cpu;
    Timeline.finish s.timeline;
    let about = about s ~program ~arguments ~by ~outcome in
    let other_version =
      match s.rings with
      | Some rings -> List.exists (String.starts_with ~prefix:"weft/") (Rings.foreign rings)
      | None -> false
    in
    Writer.finish s.writer about ~last_time:(Timeline.last_time s.timeline);
    {
      events = Writer.kept s.writer;
      seconds =
        (let all = float_of_int (about.ended - about.began) *. 1e-9 in
         match s.last with Some last -> Float.min last all | None -> all);
      domains = List.length about.read;
      lost = Event.lost_in_all about;
      of_weft = Timeline.scheduler_events s.timeline > 0;
      other_version;
      damaged = s.damaged;
    }
  with
  | result ->
      close s;
      Result.map (fun () -> result) (Whole_file.commit s.file)
  | exception Sys_error why ->
      abandon s;
      Error (cannot_write s why)
