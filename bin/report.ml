module Machine = Weft_platform.Machine
module Membarrier = Weft_platform.Membarrier

let width = 100
let sprintf = Printf.sprintf

(* {1 For people} *)

let or_unknown show = function Some value -> show value | None -> "unknown"
let or_unset = function Some "" -> "set, but empty" | Some value -> value | None -> "not set"
let yes_no answer = if answer then "yes" else "no"

(* Writes 262144 as "262,144". *)
let rec grouped number =
  if number < 1000 then string_of_int number else sprintf "%s,%03d" (grouped (number / 1000)) (number mod 1000)

let binary_size bytes =
  if bytes mod (1 lsl 20) = 0 then sprintf "%d MiB" (bytes lsr 20)
  else if bytes >= 1 lsl 20 then sprintf "%.1f MiB" (float_of_int bytes /. 1048576.)
  else sprintf "%.1f KiB" (float_of_int bytes /. 1024.)

let compiler (facts : Facts.t) =
  sprintf "%s, %s for %s, %s flambda" facts.ocaml_version
    (if facts.native then "native code" else "bytecode")
    facts.architecture
    (if facts.flambda then "with" else "without")

let default_domains (facts : Facts.t) =
  let why =
    match facts.default_limit with
    | Allowed when facts.processors_allowed = facts.processors_online -> "every processor online"
    | Allowed -> "the processors this process may use"
    | Quota _ -> "the CPU quota, rounded up"
    | Recommended -> "what the OCaml runtime recommends"
  in
  sprintf "%d: %s" facts.default_domains why

let weft_domains (facts : Facts.t) =
  match facts.domains_asked with
  | Ok (Some asked) -> sprintf "%d, in force instead of the default" asked
  | Ok None -> or_unset facts.weft_domains
  | Error _ -> sprintf "%s, ignored: the default is in force" (or_unset facts.weft_domains)

let processors_now (facts : Facts.t) =
  let { Machine.count; share } = facts.processors_now in
  let now =
    if share < float_of_int count then sprintf "%d, for the time of %g" count share else string_of_int count
  in
  match (facts.processors_asked, facts.domains_asked) with
  | (Ok None | Error _), Ok (Some _) when Facts.at_once facts > count ->
      sprintf "%s; but WEFT_DOMAINS is set: pools heed no quota" now
  | _ -> now

let weft_processors (facts : Facts.t) =
  match facts.processors_asked with
  | Ok (Some asked) -> sprintf "%d, the most workers at work at once, whatever may be used now" asked
  | Ok None -> or_unset facts.weft_processors
  | Error _ -> sprintf "%s, ignored: what may be used now counts" (or_unset facts.weft_processors)

let fence (facts : Facts.t) =
  let issuer = match facts.fence with Thief -> "thieves" | Owner -> "each queue's owner" in
  sprintf "issued by %s: %s" issuer facts.fence_why

let program { Facts.file; weft } =
  let build =
    match weft with
    | Some { Program_build.version; profile } -> sprintf "%s, dune profile %s" version profile
    | None -> "none, or one older than 0.1.0"
  in
  ("Program", [ ("file", file); ("Weft in it", build) ])

let sections (facts : Facts.t) =
  let membarrier =
    match facts.membarrier with Available -> "available" | Missing why -> "missing: " ^ why
  in
  let quota { Machine.processors; file } = sprintf "%g processors, by %s" processors file in
  let load { Machine.one; five; fifteen } =
    sprintf "%.2f, %.2f, %.2f (over 1, 5, 15 minutes)" one five fifteen
  in
  let minor_heap =
    sprintf "%s words (%s) per domain" (grouped facts.minor_heap_words)
      (binary_size (Facts.minor_heap_bytes facts))
  in
  let pool_heap =
    let words = Facts.pool_minor_heap_words facts in
    match facts.minor_heap_set_by with
    | Some how -> sprintf "the same, set by %s" how
    | None when words = facts.minor_heap_words -> "the same: one domain alone"
    | None ->
        let domains = Facts.domains facts in
        sprintf
          "%s words (%s) in each of %d domains (%s in all, while %d may work at once), chosen by Weft: all \
           stop together whenever one is full"
          (grouped words)
          (binary_size (Facts.bytes words))
          domains
          (binary_size (domains * Facts.bytes words))
          (min domains (Facts.at_once facts))
  in
  let steal percent = sprintf "%.1f %% (over %g s)" percent facts.sample_seconds in
  [
    ("Build", [ ("OCaml", compiler facts); ("dune profile", facts.build_profile) ]);
    ( "Machine",
      [
        ("processor", or_unknown Fun.id facts.processor_model);
        ("kernel", or_unknown Fun.id facts.kernel_release);
        ("virtual machine", or_unknown yes_no facts.virtual_machine);
        ("load average", or_unknown load facts.load);
        ("time stolen", or_unknown steal facts.steal_percent);
      ] );
    ( "Processors",
      [
        ("online", or_unknown string_of_int facts.processors_online);
        ("allowed (affinity)", or_unknown string_of_int facts.processors_allowed);
        ("CPU quota", Option.fold ~none:"none" ~some:quota facts.quota);
        ("may be used now", processors_now facts);
        ("WEFT_PROCESSORS", weft_processors facts);
      ] );
    ( "Domains",
      [
        ("default", default_domains facts);
        ("WEFT_DOMAINS", weft_domains facts);
        ("limit of the runtime", string_of_int facts.domain_limit);
      ] );
    ( "Memory fence",
      [ ("membarrier", membarrier); ("fence", fence facts); ("WEFT_FENCE", or_unset facts.weft_fence) ] );
    ( "Memory",
      [
        ("minor heap", minor_heap);
        ("... in a default pool", pool_heap);
        ("OCAMLRUNPARAM", or_unset facts.runtime_parameters);
      ] );
  ]

(* [hanging lead text] is [text] beside [lead], broken at blanks; further lines are indented to the same
   column. *)
let hanging formatter lead text = Format.fprintf formatter "%s@[<hov>%a@]@," lead Format.pp_print_text text

let section formatter (title, lines) =
  Format.fprintf formatter "@,%s@," title;
  List.iter (fun (label, value) -> hanging formatter (sprintf "  %-22s" label) value) lines

let verdict = function
  | [] -> "set up well"
  | [ _ ] -> "1 thing to mend"
  | advice -> sprintf "%d things to mend" (List.length advice)

let numbered formatter title texts =
  if texts <> [] then begin
    Format.fprintf formatter "@,%s@," title;
    List.iteri (fun i text -> hanging formatter (sprintf "  %d. " (i + 1)) text) texts
  end

let text (facts : Facts.t) =
  let buffer = Buffer.create 2048 in
  let formatter = Format.formatter_of_buffer buffer in
  Format.pp_set_geometry formatter ~max_indent:(width / 2) ~margin:(width + 1);
  let advice = Advice.of_facts facts in
  Format.fprintf formatter "@[<v>weft %s on this machine: %s@," facts.weft_version (verdict advice);
  numbered formatter "Why" (List.map (fun { Advice.why; _ } -> why) advice);
  numbered formatter "What to do" (List.map (fun { Advice.remedy; _ } -> remedy) advice);
  Option.iter (fun about -> section formatter (program about)) facts.program;
  List.iter (section formatter) (sections facts);
  Format.fprintf formatter "@]%!";
  Buffer.contents buffer

(* {1 For programs} *)

let json (facts : Facts.t) =
  let optional make = function Some value -> make value | None -> `Null in
  let string s = `String s and int i = `Int i and float x = `Float x and bool b = `Bool b in
  let limit =
    match facts.default_limit with Allowed -> "affinity" | Quota _ -> "quota" | Recommended -> "recommended"
  in
  let load { Machine.one; five; fifteen } = `List [ `Float one; `Float five; `Float fifteen ] in
  let available, missing =
    match facts.membarrier with Available -> (true, None) | Missing why -> (false, Some why)
  in
  let program { Facts.file; weft } =
    let build part = optional (fun b -> `String (part b)) weft in
    `Assoc
      [
        ("file", `String file);
        ("weft_version", build (fun b -> b.Program_build.version));
        ("build_profile", build (fun b -> b.Program_build.profile));
      ]
  in
  let quota part = Option.map part facts.quota in
  let advice { Advice.id; why; remedy } =
    `Assoc [ ("id", `String id); ("why", `String why); ("remedy", `String remedy) ]
  in
  let members =
    [
      ("program", optional program facts.program);
      ("weft_version", `String facts.weft_version);
      ("build_profile", `String facts.build_profile);
      ("ocaml_version", `String facts.ocaml_version);
      ("native_code", `Bool facts.native);
      ("flambda", `Bool facts.flambda);
      ("architecture", `String facts.architecture);
      ("kernel_release", optional string facts.kernel_release);
      ("processor_model", optional string facts.processor_model);
      ("virtual_machine", optional bool facts.virtual_machine);
      ("processors_online", optional int facts.processors_online);
      ("processors_affinity", optional int facts.processors_allowed);
      ("cpu_quota", optional float (quota (fun { Machine.processors; _ } -> processors)));
      ("cpu_quota_file", optional string (quota (fun { Machine.file; _ } -> file)));
      ("processors_now", `Int facts.processors_now.count);
      ("processors_share_now", `Float facts.processors_now.share);
      ("weft_processors", optional string facts.weft_processors);
      ("processors_at_once", `Int (Facts.at_once facts));
      ("recommended_domain_count", `Int facts.recommended_domains);
      ("default_domains", `Int facts.default_domains);
      ("default_domains_why", `String limit);
      ("weft_domains", optional string facts.weft_domains);
      ("domains", `Int (Facts.domains facts));
      ("domain_limit", `Int facts.domain_limit);
      ("membarrier", `Bool available);
      ("membarrier_missing_why", optional string missing);
      ("fence_mode", `String (match facts.fence with Thief -> "thief" | Owner -> "owner"));
      ("fence_why", `String facts.fence_why);
      ("weft_fence", optional string facts.weft_fence);
      ("minor_heap_words", `Int facts.minor_heap_words);
      ("minor_heap_bytes", `Int (Facts.minor_heap_bytes facts));
      ("minor_heap_set_by", optional string facts.minor_heap_set_by);
      ("pool_minor_heap_words", `Int (Facts.pool_minor_heap_words facts));
      ("ocamlrunparam", optional string facts.runtime_parameters);
      ("load_average", optional load facts.load);
      ("steal_percent", optional float facts.steal_percent);
      ("steal_sample_seconds", `Float facts.sample_seconds);
      ("advice", `List (List.map advice (Advice.of_facts facts)));
    ]
  in
  Yojson.Safe.pretty_to_string ~std:true (`Assoc members) ^ "\n"
