open Weft_bench_harness
open Weft_bench_suites

let microseconds = 10.

(* A round has a tenth of a second of work. A tenth as many tasks run before it, to warm up. *)
let tasks_of_round = 10_000
let tasks_before = tasks_of_round / 10

let[@inline never] spin n =
  let x = ref n in
  for _ = 1 to n do
    x := !x lxor (!x lsl 13) lxor (!x lsr 7)
  done;
  !x

let seconds f =
  let from = Clock.now () in
  let result = f () in
  (result, Clock.now () -. from)

(* The number of steps that take [microseconds]. Of several measurements the shortest counts, since
   disturbances only lengthen them. *)
let calibrated () =
  let steps = 1_000_000 in
  let once _ = snd (seconds (fun () -> ignore (Sys.opaque_identity (spin (Sys.opaque_identity steps))))) in
  let one = List.fold_left Float.min Float.infinity (List.init 5 once) in
  max 1 (int_of_float (microseconds *. 1e-6 /. one *. float_of_int steps))

(* Starts [count] tasks, which wait in the deque until the fiber that made them waits; returns how many have
   ended. *)
let tasks ~count ~steps =
  let ended = Atomic.make 0 and all_done = Weft.Promise.create () in
  let task () =
    ignore (Sys.opaque_identity (spin steps));
    if Atomic.fetch_and_add ended 1 = count - 1 then Weft.Promise.resolve all_done ()
  in
  for _ = 1 to count do
    ignore (Weft.async task : unit Weft.promise)
  done;
  Weft.await all_done;
  Atomic.get ended

(* The file of events exists from now on, but nobody needs its name. Its name can be guessed, so it is made in a folder of its
   own, unless the user names one. *)
let start_events () =
  Interrupts.whole @@ fun () ->
  match Sys.getenv_opt "OCAML_RUNTIME_EVENTS_DIR" with
  | Some folder -> (
      Weft.Trace.start ();
      try Sys.remove (Filename.concat folder (Printf.sprintf "%d.events" (Unix.getpid ())))
      with Sys_error _ -> ())
  | None ->
      let folder = Filename.temp_dir "weft-events-" "" and before = Sys.getcwd () in
      Sys.chdir folder;
      Fun.protect Weft.Trace.start ~finally:(fun () ->
          Sys.chdir before;
          Weft_files.Own_folder.remove folder)

type input = { steps : int; pairs : int }
type pair = { ratio : float; ended : int }

(* A new pool checks whether events are written. *)
let round ~domains ~steps ~events =
  if events then Runtime_events.resume () else Runtime_events.pause ();
  Weft.run ~domains (fun () ->
      if Weft.Trace.enabled () <> events then failwith "events are not as they should be";
      let before = tasks ~count:tasks_before ~steps in
      let ended, seconds = seconds (fun () -> tasks ~count:tasks_of_round ~steps) in
      (before + ended, seconds))

let pair ~domains ~steps i =
  let first = i land 1 = 0 in
  let a, in_a = round ~domains ~steps ~events:first in
  let b, in_b = round ~domains ~steps ~events:(not first) in
  { ratio = (if first then in_a /. in_b else in_b /. in_a); ended = a + b }

let compute ~domains { steps; pairs } =
  let all = List.init pairs (pair ~domains ~steps) in
  Runtime_events.pause ();
  all

let check pairs all =
  Operations.count "tasks"
    (2 * pairs * (tasks_before + tasks_of_round))
    (List.fold_left (fun sum { ended; _ } -> sum + ended) 0 all)

let figures ~seconds:_ all =
  let ratio = Row.median (List.map (fun { ratio; _ } -> ratio) all) in
  [ { Figure.title = "% more"; value = 100. *. (ratio -. 1.) } ]

let prepare pairs =
  start_events ();
  { steps = calibrated (); pairs }

let contestant : Contestant.t =
  { name = "weft"; doc = "a pool of Weft"; role = Contender; inside = (fun ~domains:_ f -> f ()) }

let benchmark =
  let work ({ size; domains; cutoff = _ } : Benchmark.params) =
    Some
      (Benchmark.Work
         {
           prepare = (fun () -> prepare size);
           compute = compute ~domains;
           check = check size;
           forks = None;
           figures;
         })
  in
  Simple.benchmark ~name:"events" ~doc:"tasks of 10 us, with events being written and without"
    ~size_doc:"the number of pairs of rounds" ~default_size:21 ~paced:true
    [ { contestant; work } ]
