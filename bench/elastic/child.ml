open Weft_bench_harness

type run = { sample : Meter.sample; figures : Figure.t list }

let request = "elastic-child"

(* Longer than the limit of the starter: the starter reports that the run took too long; the alarm only
   makes sure that the process ends. *)
let end_after limit = ignore (Unix.alarm (10 + int_of_float (Float.ceil limit)) : int)

module Microseconds = Weft_bench_suites.Microseconds

(* The programs of the cases are all that is ever asked for. *)
let benchmarks =
  let programs = List.concat_map (fun (case : Case.t) -> case.programs) Case.all in
  List.map (fun (program : Case.program) -> program.benchmark) programs

(* {1 Requests} *)

let arguments role limit rest = [ "bench"; request; role; Printf.sprintf "%h" limit ] @ rest

let of_config ({ benchmark; contestant; params; work = _ } : Plan.config) =
  let cutoff = Option.fold params.cutoff ~none:"none" ~some:string_of_int in
  let numbers = List.map string_of_int [ Microseconds.per_microsecond (); params.domains; params.size ] in
  [ benchmark.name; contestant.name ] @ numbers @ [ cutoff ]

let to_config benchmark method_ operations domains size cutoff : Plan.config =
  Microseconds.assume (int_of_string operations);
  let is_it (b : Benchmark.t) = String.equal b.name benchmark in
  let benchmark = List.find is_it benchmarks in
  let is_it (way : Benchmark.way) = String.equal way.contestant.name method_ in
  let way = List.find is_it benchmark.ways in
  let params =
    {
      Benchmark.size = int_of_string size;
      domains = int_of_string domains;
      cutoff = int_of_string_opt cutoff;
    }
  in
  { benchmark; contestant = way.contestant; params; work = Option.get (way.work params) }

let measure ?(group = "") ~limit config = arguments "measure" limit (group :: of_config config)
let repeat ~limit config = arguments "repeat" limit (of_config config)
let spin ~limit = arguments "spin" limit []
let join group = arguments "join" 0. [ group ]

(* {1 What a run prints} *)

let to_json { sample; figures } =
  let option f = function None -> `Null | Some x -> f x in
  let switches (s : Proc.switches) = `List [ `Int s.voluntary; `Int s.involuntary ] in
  let figure (f : Figure.t) = `List [ `String f.title; `Float f.value ] in
  `Assoc
    [
      ("seconds", `Float sample.seconds);
      ("cpu_seconds", `Float sample.cpu_seconds);
      ("switches", option switches sample.switches);
      ("minor_collections", option (fun n -> `Int n) sample.minor_collections);
      ("major_collections", option (fun n -> `Int n) sample.major_collections);
      ("peak_bytes", option (fun n -> `Int n) sample.peak_bytes);
      ("figures", `List (List.map figure figures));
    ]

let of_json json =
  let open Yojson.Safe.Util in
  let pair f json = match to_list json with [ a; b ] -> f a b | _ -> raise (Type_error ("a pair", json)) in
  let switches voluntary involuntary =
    { Proc.voluntary = to_int voluntary; involuntary = to_int involuntary }
  in
  let get key = member key json in
  {
    sample =
      {
        seconds = to_number (get "seconds");
        cpu_seconds = to_number (get "cpu_seconds");
        switches = to_option (pair switches) (get "switches");
        minor_collections = to_int_option (get "minor_collections");
        major_collections = to_int_option (get "major_collections");
        peak_bytes = to_int_option (get "peak_bytes");
      };
    figures =
      List.map
        (pair (fun title value -> { Figure.title = to_string title; value = to_number value }))
        (to_list (get "figures"));
  }

let parse output =
  let open Yojson.Safe.Util in
  match Yojson.Safe.from_string output with
  | exception Yojson.Json_error _ -> Error "it printed something else than its figures"
  | json -> (
      match member "error" json with
      | `String message -> Error message
      | _ -> ( try Ok (of_json json) with Type_error _ -> Error "figures are missing from what it printed"))

let print json = print_endline (Yojson.Safe.to_string json)

(* {1 The processes} *)

let run_once config =
  match Runner.once config with
  | Ok (sample, figures) -> to_json { sample; figures }
  | Error (Wrong (_, { expected; got })) ->
      `Assoc [ ("error", `String (Printf.sprintf "wrong result: expected %s, got %s" expected got)) ]
  | Error (Raised (_, e)) ->
      `Assoc [ ("error", `String ("ended with an exception: " ^ Printexc.to_string e)) ]

let now = Weft_bench_suites.Clock.now

let run_for_ever ({ contestant; params; work = Work { prepare; compute; _ }; _ } : Plan.config) =
  contestant.inside ~domains:params.domains (fun () ->
      print_endline "begins";
      while true do
        ignore (Sys.opaque_identity (compute (prepare ())))
      done)

(* Computes without system calls, but reads the clock and checks that the starter lives now and then. *)
let spin_until_orphaned starter =
  print_endline "begins";
  while Unix.getppid () = starter do
    let until = now () +. 0.05 in
    while now () < until do
      for i = 1 to 10_000 do
        ignore (Sys.opaque_identity i)
      done
    done
  done

let serve role limit rest =
  end_after (float_of_string limit);
  match (role, rest) with
  | "measure", [ group; benchmark; method_; operations; domains; size; cutoff ] ->
      if group <> "" then Cpu_group.join group;
      print (run_once (to_config benchmark method_ operations domains size cutoff))
  | "repeat", [ benchmark; method_; operations; domains; size; cutoff ] ->
      run_for_ever (to_config benchmark method_ operations domains size cutoff)
  | "spin", [] -> spin_until_orphaned (Unix.getppid ())
  | "join", [ group ] -> Cpu_group.join group
  | _ -> invalid_arg "Child.serve: no such request"

let main argv =
  match Array.to_list argv with
  | _ :: "bench" :: name :: role :: limit :: rest when String.equal name request ->
      serve role limit rest;
      exit 0
  | _ -> ()
