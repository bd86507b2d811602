module Machine = Weft_support.Machine

type start = { date : Unix.tm; cpu_time : Machine.cpu_time option; load : Machine.load option }

let start () =
  { date = Unix.gmtime (Unix.time ()); cpu_time = Machine.cpu_time (); load = Machine.load_average () }

type t = {
  start : start;
  runs : int;
  runs_asked : int;
  interrupted : bool;
  warm_up : bool;
  missing : Contestant.missing list;
  stolen_share : float option;
  load_after : Machine.load option;
}

let finish ?(warm_up = true) ?interrupted_after ?(missing = []) start ~runs =
  let stolen_share =
    match (start.cpu_time, Machine.cpu_time ()) with
    | Some before, Some after -> Machine.stolen_share ~before ~after
    | _ -> None
  in
  {
    start;
    runs = Option.value interrupted_after ~default:runs;
    runs_asked = runs;
    interrupted = Option.is_some interrupted_after;
    warm_up;
    missing;
    stolen_share;
    load_after = Machine.load_average ();
  }

let iso_date (tm : Unix.tm) =
  Printf.sprintf "%04d-%02d-%02dT%02d:%02d:%02dZ" (tm.tm_year + 1900) (tm.tm_mon + 1) tm.tm_mday tm.tm_hour
    tm.tm_min tm.tm_sec

let fence = match Weft_support.Fence.mode with Thief -> "thief" | Owner -> "owner"
let minor_heap_words () = (Gc.get ()).minor_heap_size

(* {1 JSON} *)

let option f = function None -> `Null | Some x -> f x
let string s = `String s
let int n = `Int n
let float x = `Float x

let machine () =
  `Assoc
    [
      ("model", option string (Machine.processor_model ()));
      ("processors", option int (Machine.processors_online ()));
      ("affinity", option int (Machine.processors_allowed ()));
      ("quota", option (fun (q : Machine.quota) -> `Float q.processors) (Machine.cpu_quota ()));
      ("kernel", option string (Machine.kernel_release ()));
      ("hypervisor", option (fun b -> `Bool b) (Machine.virtual_machine ()));
    ]

let compiler =
  `Assoc
    [
      ("version", `String Sys.ocaml_version);
      ("flambda", `Bool Build_facts.flambda);
      ("architecture", `String Build_facts.architecture);
      ("profile", `String Build_facts.profile);
      ("flags", `String Build_facts.ocamlopt_flags);
    ]

let environment () =
  let variable name = (name, option string (Sys.getenv_opt name)) in
  `Assoc (List.map variable [ "OCAMLRUNPARAM"; "WEFT_DOMAINS"; "WEFT_PROCESSORS"; "WEFT_FENCE" ])

let missing ({ name; reason; _ } : Contestant.missing) =
  `Assoc [ ("name", `String name); ("reason", `String reason) ]

let to_json t : Yojson.Safe.t =
  let load = option (fun (load : Machine.load) -> `Float load.one) in
  `Assoc
    [
      ("format", `Int 1);
      ("date", `String (iso_date t.start.date));
      ("runs", `Int t.runs);
      ("runs_asked", `Int t.runs_asked);
      ("interrupted", `Bool t.interrupted);
      ("machine", machine ());
      ("compiler", compiler);
      ("minor_heap_words", `Int (minor_heap_words ()));
      ("environment", environment ());
      ("default_domains", `Int (Weft.Pool.default_domains ()));
      ("fence", `String fence);
      ("stolen_share", option float t.stolen_share);
      ("load_before", load t.start.load);
      ("load_after", load t.load_after);
      ("missing", `List (List.map missing t.missing));
    ]

(* {1 Text} *)

let missing_line ({ name; reason; _ } : Contestant.missing) = Printf.sprintf "Missing: %s: %s\n" name reason

let summary t =
  let known show = Option.fold ~none:"unknown" ~some:show in
  Printf.sprintf
    "%s, %s processors\n\
     OCaml %s%s, %s profile, minor heap %d words, fence %s\n\
     Each configuration ran %s%d time%s measured, interleaved; time stolen by the hypervisor: %s\n"
    (known Fun.id (Machine.processor_model ()))
    (known string_of_int (Machine.processors_allowed ()))
    Sys.ocaml_version
    (if Build_facts.flambda then " with flambda" else "")
    Build_facts.profile (minor_heap_words ()) fence
    (if t.warm_up then "once to warm up and " else "")
    t.runs
    (if t.runs = 1 then "" else "s")
    (known (fun share -> Printf.sprintf "%.1f %%" (100. *. share)) t.stolen_share)
  ^ String.concat "" (List.map missing_line t.missing)
