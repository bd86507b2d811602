module Timer_thread = Weft_platform.Timer_thread

type figures = { work : float; span : float; burdened_span : float }

type region = {
  name : string;
  within : string list;
  calls : int;
  figures : figures;
  own_work : float;
  on_path : float;
}

(* The contents of a file, in nanoseconds. *)
type recorded = Profile_file.t

type t = {
  total : figures;
  elsewhere : float;
  regions : region list;
  burden : float;
  overhead : float;
  grain : float;
  recorded : recorded;
}

(* --- bounds --- *)

let parallelism f = if f.span > 0. then f.work /. f.span else if f.work > 0. then infinity else 1.

let check_workers who workers =
  if workers < 1 then invalid_arg (Printf.sprintf "Weft.Profile.%s: %d workers" who workers)

let upper_bound f ~workers =
  check_workers "upper_bound" workers;
  Float.min (float_of_int workers) (parallelism f)

(* Section 4 of the Cilkview paper; its authors found this factor by measurement. *)
let span_coefficient = 1.7

let lower_bound f ~workers =
  check_workers "lower_bound" workers;
  let p = float_of_int workers in
  let time = (f.work /. p) +. (span_coefficient *. (1. -. (1. /. p)) *. f.burdened_span) in
  if time > 0. then f.work /. time else 1.

let limit t = match t.regions with r :: _ when r.on_path > t.elsewhere -> Some r | _ -> None

(* --- the results of a session --- *)

(* The regions directly inside, in the order in which they began. *)
let inside (p : Span_session.place) =
  let by_number (p : Span_session.place) (q : Span_session.place) = Int.compare p.number q.number in
  List.sort by_number (List.of_seq (Hashtbl.to_seq_values p.inside))

(* All places below the root, outer ones first, each with the number of the one around it and its work with
   the regions inside; and all work. *)
let places root =
  let found = ref [] and next = ref 0 in
  let rec whole_work number (p : Span_session.place) =
    let add sum q =
      let inner = !next and work = ref 0 in
      incr next;
      found := (q, number, work) :: !found;
      work := whole_work inner q;
      sum + !work
    in
    List.fold_left add (Atomic.get p.work) (inside p)
  in
  let work = whole_work (-1) root in
  (List.rev !found, work)

let recorded ?outside session ~burden ~ns : recorded =
  let root = session.Span_session.root and path = Span_session.path session in
  let on_path (p : Span_session.place) =
    match Span_session.Path.find_opt p.number path with Some ticks -> ns ticks | None -> 0
  in
  let found, work = places root in
  let region ((p : Span_session.place), parent, work) : Profile_file.region =
    {
      name = p.name;
      parent;
      calls = p.calls;
      work = ns !work;
      span = ns p.span;
      burdened = ns p.burdened;
      own = ns (Atomic.get p.work);
      on_path = on_path p;
    }
  in
  {
    workers = session.Span_session.assumed;
    work = ns work;
    span = ns (Span_session.span session);
    burdened = ns (Span_session.burdened session);
    elsewhere = on_path root;
    burden;
    overhead = ns (Span_session.overhead session);
    grain = ns (Task_graph.grain session.Span_session.graph);
    outside;
    regions = List.map region found;
    graph = session.Span_session.graph;
    main = session.Span_session.main;
    ns;
  }

let seconds ns = float_of_int ns *. 1e-9

let of_recorded (r : recorded) =
  let regions = Array.of_list r.regions in
  let within = Array.make (Array.length regions) [] in
  let find_around i (region : Profile_file.region) =
    if region.parent >= 0 then within.(i) <- regions.(region.parent).name :: within.(region.parent)
  in
  Array.iteri find_around regions;
  let figures ~work ~span ~burdened =
    { work = seconds work; span = seconds span; burdened_span = seconds burdened }
  in
  let region i (p : Profile_file.region) =
    {
      name = p.name;
      within = within.(i);
      calls = p.calls;
      figures = figures ~work:p.work ~span:p.span ~burdened:p.burdened;
      own_work = seconds p.own;
      on_path = seconds p.on_path;
    }
  in
  {
    total = figures ~work:r.work ~span:r.span ~burdened:r.burdened;
    elsewhere = seconds r.elsewhere;
    regions = List.stable_sort (fun a b -> Float.compare b.on_path a.on_path) (List.mapi region r.regions);
    burden = seconds r.burden;
    overhead = seconds r.overhead;
    grain = seconds r.grain;
    recorded = r;
  }

(* --- profiling --- *)

let who = "Weft.Profile.run"
let default_burden = 5e-6
let default_grain = 4e-6

let in_session session f =
  let caller = Option.is_none (Worker.current ()) in
  let p = Pools.create ~session ~caller who in
  Shutdown.use_and_close p who (fun () -> Pools.run p f who)

type measured = { session : Span_session.session; burden_ns : int; since : Calibration.moment }

let begin_session ~burden =
  let per_piece = Calibration.per_piece () in
  let ticks seconds = Calibration.ticks_of_ns (seconds *. 1e9) in
  let workers = Pools.default_domains () in
  let session =
    Span_session.start ~clock:Span_session.ticks ~burden:(ticks burden) ~grain:(ticks default_grain) ~workers
  in
  Span_session.set_overhead session ~per_piece;
  { session; burden_ns = int_of_float (burden *. 1e9); since = Calibration.now () }

let found ?outside m =
  let rate = Calibration.ns_per_tick ~since:m.since in
  let ns ticks = int_of_float (Float.round (float_of_int ticks *. rate)) in
  recorded ?outside m.session ~burden:m.burden_ns ~ns

let run ?(burden = default_burden) f =
  if not (burden >= 0. && burden < infinity) then
    invalid_arg (Printf.sprintf "%s: a burden of %g seconds" who burden);
  let m = begin_session ~burden in
  let v = in_session m.session f in
  (v, of_recorded (found m))

let region name f = Span_region.region name (fun () -> Trace_hooks.within_region name f)
let save file t = Profile_file.write file t.recorded

(* --- printing --- *)

let pp_seconds ppf s =
  if s >= 1. then Format.fprintf ppf "%.2f s" s
  else if s >= 1e-3 then Format.fprintf ppf "%.2f ms" (s *. 1e3)
  else Format.fprintf ppf "%.2f us" (s *. 1e6)

let pp_figures ppf f =
  Format.fprintf ppf "work %a, span %a, parallelism %.4g, burdened span %a" pp_seconds f.work pp_seconds
    f.span (parallelism f) pp_seconds f.burdened_span

let pp_region ppf r =
  Format.fprintf ppf "%s: %a; calls: %d; of the whole span: %a"
    (String.concat "/" (List.rev (r.name :: r.within)))
    pp_figures r.figures r.calls pp_seconds r.on_path

let pp ppf t =
  Format.fprintf ppf "@[<v>%a" pp_figures t.total;
  List.iter (Format.fprintf ppf "@,%a" pp_region) t.regions;
  Format.fprintf ppf "@]"

(* --- profiles of whole programs --- *)

let variable = "WEFT_PROFILE"
let burden_variable = "WEFT_PROFILE_BURDEN"
let timing_variable = "WEFT_PROFILE_TIMES"
let complain fmt = Printf.ksprintf (fun what -> Printf.eprintf "weft: %s\n%!" what) fmt

let asked_burden () =
  match Sys.getenv_opt burden_variable with
  | None | Some "" -> default_burden
  | Some text -> (
      match int_of_string_opt text with
      | Some ns when ns >= 0 && ns <= 1_000_000_000 -> float_of_int ns *. 1e-9
      | _ ->
          complain "%s=%s is ignored: it must be a number of nanoseconds, at most 10^9" burden_variable
            (String.escaped text);
          default_burden)

let attempt f =
  try f () with Sys_error reason -> complain "%s: cannot write the profile: %s" variable reason

(* Programs that this one starts must not overwrite its file. *)
let take_variable () =
  match Sys.getenv_opt variable with
  | None | Some "" -> None
  | Some file ->
      Unix.putenv variable "";
      Some file

(* Of this process, all its threads together. *)
let processor_time () = Float.to_int (Sys.time () *. 1e9)

let profile_to file =
  attempt (fun () -> Profile_file.begin_file file);
  let before = processor_time () in
  let m = begin_session ~burden:(asked_burden ()) in
  let calibrating = processor_time () - before in
  Stdlib.at_exit (fun () ->
      let outside = max 0 (processor_time () - calibrating - Pools.time_in_calls ()) in
      attempt (fun () -> Profile_file.write file (found ~outside m)));
  m.session

(* Measures only the time that passes in calls; the program runs on all workers. *)
let time_to file =
  attempt (fun () -> Profile_file.begin_file file);
  Stdlib.at_exit (fun () -> attempt (fun () -> Profile_file.write_times file (Pools.time_in_calls ())))

let () =
  match take_variable () with
  | None -> ()
  | Some file -> (
      let asked = Sys.getenv_opt timing_variable in
      Option.iter
        (fun text ->
          if text <> "" && text <> "1" then
            complain "%s=%s is ignored: it must be 1" timing_variable (String.escaped text))
        asked;
      match asked with
      | Some "1" ->
          Pools.time_calls ~clock:Timer_thread.now;
          let begin_once = Weft_platform.Memo.once (fun () -> time_to file) in
          Span_session.of_new_pool :=
            fun () ->
              begin_once ();
              None
      | _ ->
          Pools.time_calls ~clock:processor_time;
          (* The session begins when the program makes its first pool. *)
          let lock = Mutex.create () and session = ref None in
          Span_session.of_new_pool :=
            fun () ->
              Mutex.protect lock @@ fun () ->
              if !session = None then session := Some (profile_to file);
              !session)

module Private = struct
  let run_with ~now ?(burden = 0) ?(grain = 0) f =
    let clock : Span_session.clock = { now; is_real = false } in
    let session = Span_session.start ~clock ~burden ~grain ~workers:2 in
    let v = in_session session f in
    (v, of_recorded (recorded session ~burden ~ns:Fun.id))
end
