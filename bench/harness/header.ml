module Machine = Weft_platform.Machine

type kind = Bench | Elastic | Baseline

type machine = {
  model : string option;
  processors : int option;
  affinity : int option;
  quota : float option;
  kernel : string option;
  hypervisor : bool option;
}

type compiler = { version : string; flambda : bool; architecture : string; profile : string; flags : string }

type t = {
  kind : kind;
  weft : string;
  date : string;
  command : string list;
  runs : int;
  runs_asked : int;
  interrupted : bool;
  failed : string option;
  warm_up : bool;
  machine : machine;
  compiler : compiler;
  minor_heap_words : int;
  environment : (string * string option) list;
  default_domains : int;
  fence : string;
  stolen_share : float option;
  load_before : float option;
  load_after : float option;
  missing : (string * string) list;
  versions : (string * string) list;
}

(* {1 The present state} *)

let machine () =
  {
    model = Machine.processor_model ();
    processors = Machine.processors_online ();
    affinity = Machine.processors_allowed ();
    quota = Option.map (fun (q : Machine.quota) -> q.processors) (Machine.cpu_quota ());
    kernel = Machine.kernel_release ();
    hypervisor = Machine.virtual_machine ();
  }

let compiler =
  {
    version = Sys.ocaml_version;
    flambda = Build_facts.flambda;
    architecture = Build_facts.architecture;
    profile = Build_facts.profile;
    flags = Build_facts.ocamlopt_flags;
  }

(* As whoever reads the results allows it. *)
let fit text =
  let text = Weft_files.Foreign_text.line text in
  if String.length text <= 4000 then text else Weft_files.Foreign_text.ascii (String.sub text 0 1000)

let command () =
  match Array.to_list Sys.argv with
  | [] -> []
  | program :: arguments -> List.map fit (Filename.basename program :: arguments)

let environment () =
  let variable name = (name, Option.map fit (Sys.getenv_opt name)) in
  List.map variable [ "OCAMLRUNPARAM"; "WEFT_DOMAINS"; "WEFT_PROCESSORS"; "WEFT_FENCE" ]

let load () = Option.map (fun (load : Machine.load) -> load.one) (Machine.load_average ())

type start = {
  began : Unix.tm;
  cpu_time : Machine.cpu_time option;
  load : float option;
  minor_heap : int; (* outside pools, which have others *)
}

let start () =
  {
    began = Unix.gmtime (Unix.time ());
    cpu_time = Machine.cpu_time ();
    load = load ();
    minor_heap = (Gc.get ()).minor_heap_size;
  }

let iso_date (tm : Unix.tm) =
  Printf.sprintf "%04d-%02d-%02dT%02d:%02d:%02dZ" (tm.tm_year + 1900) (tm.tm_mon + 1) tm.tm_mday tm.tm_hour
    tm.tm_min tm.tm_sec

let finish ?(kind = Bench) ?(warm_up = true) ?interrupted_after ?failed ?(missing = []) ?(versions = []) start
    ~runs =
  {
    kind;
    weft = Build_facts.version;
    date = iso_date start.began;
    command = command ();
    runs = Option.value interrupted_after ~default:runs;
    runs_asked = runs;
    interrupted = Option.is_some interrupted_after;
    failed = Option.map fit failed;
    warm_up;
    machine = machine ();
    compiler;
    minor_heap_words = start.minor_heap;
    environment = environment ();
    default_domains = Weft.Pool.default_domains ();
    fence = (match Weft_platform.Membarrier.mode with Thief -> "thief" | Owner -> "owner");
    stolen_share =
      (match (start.cpu_time, Machine.cpu_time ()) with
      | Some before, Some after -> Machine.stolen_share ~before ~after
      | _ -> None);
    load_before = start.load;
    load_after = load ();
    missing = List.map (fun ({ name; reason; _ } : Contestant.missing) -> (name, reason)) missing;
    versions;
  }

(* {1 JSON} *)

let schema = 2
let kind_name = function Bench -> "bench" | Elastic -> "elastic" | Baseline -> "baseline"
let option f = function None -> `Null | Some x -> f x
let string s = `String s
let int n = `Int n
let float x = `Float x

let machine_to_json machine =
  `Assoc
    [
      ("model", option string machine.model);
      ("processors", option int machine.processors);
      ("affinity", option int machine.affinity);
      ("quota", option float machine.quota);
      ("kernel", option string machine.kernel);
      ("hypervisor", option (fun b -> `Bool b) machine.hypervisor);
    ]

let compiler_to_json compiler =
  `Assoc
    [
      ("version", `String compiler.version);
      ("flambda", `Bool compiler.flambda);
      ("architecture", `String compiler.architecture);
      ("profile", `String compiler.profile);
      ("flags", `String compiler.flags);
    ]

let missing_to_json (name, reason) = `Assoc [ ("name", `String name); ("reason", `String reason) ]

let to_json t : Yojson.Safe.t =
  `Assoc
    [
      ("schema", `Int schema);
      ("kind", `String (kind_name t.kind));
      ("weft", `String t.weft);
      ("date", `String t.date);
      ("command", `List (List.map string t.command));
      ("runs", `Int t.runs);
      ("runs_asked", `Int t.runs_asked);
      ("interrupted", `Bool t.interrupted);
      ("failed", option string t.failed);
      ("warm_up", `Bool t.warm_up);
      ("machine", machine_to_json t.machine);
      ("compiler", compiler_to_json t.compiler);
      ("minor_heap_words", `Int t.minor_heap_words);
      ("environment", `Assoc (List.map (fun (name, value) -> (name, option string value)) t.environment));
      ("default_domains", `Int t.default_domains);
      ("fence", `String t.fence);
      ("stolen_share", option float t.stolen_share);
      ("load_before", option float t.load_before);
      ("load_after", option float t.load_after);
      ("missing", `List (List.map missing_to_json t.missing));
      ("versions", `Assoc (List.map (fun (name, version) -> (name, `String version)) t.versions));
    ]

(* {1 Text} *)

(* The variables change the figures, which do not show it: with WEFT_DOMAINS, for example, pools ignore the
   quota. *)
let told_by_environment t =
  let set (name, value) =
    Option.map (fun value -> Printf.sprintf "%s=%s" name (String.escaped value)) value
  in
  match List.filter_map set t.environment with
  | [] -> ""
  | variables -> Printf.sprintf "Set in the environment: %s\n" (String.concat " " variables)

(* A line for each reason. *)
let rec tell_missing = function
  | [] -> []
  | (_, reason) :: _ as missing ->
      let same, others = List.partition (fun (_, other) -> other = reason) missing in
      Printf.sprintf "Missing: %s: %s\n" (String.concat ", " (List.map fst same)) reason
      :: tell_missing others

let summary t =
  let known show = Option.fold ~none:"unknown" ~some:show in
  Printf.sprintf
    "%s, %s processors\n\
     OCaml %s%s, %s profile, minor heap %d words, fence %s\n\
     Each configuration ran %s%d time%s measured, interleaved; time stolen by the hypervisor: %s\n"
    (known Fun.id t.machine.model)
    (known string_of_int t.machine.affinity)
    t.compiler.version
    (if t.compiler.flambda then " with flambda" else "")
    t.compiler.profile t.minor_heap_words t.fence
    (if t.warm_up then "once to warm up and " else "")
    t.runs
    (if t.runs = 1 then "" else "s")
    (known (fun share -> Printf.sprintf "%.1f %%" (100. *. share)) t.stolen_share)
  ^ told_by_environment t
  ^ String.concat ""
      (List.map (fun (name, version) -> Printf.sprintf "With %s: %s\n" name version) t.versions
      @ tell_missing t.missing
      @ List.map (Printf.sprintf "Ended by a failure: %s\n") (Option.to_list t.failed))
