module Machine = Weft_platform.Machine
module Membarrier = Weft_platform.Membarrier

type t = { id : string; why : string; remedy : string }

let sprintf = Printf.sprintf
let plural count what = sprintf "%d %s%s" count what (if count = 1 then "" else "s")

(* A rule is the name of an advice and a function that returns why, and what to do, if the advice applies. *)

(* {1 Settings of Weft} *)

let domains_invalid (facts : Facts.t) =
  match facts.domains_asked with Error line -> Some (line ^ ".", "Correct it or unset it.") | Ok _ -> None

let domains_above_processors (facts : Facts.t) =
  match facts.domains_asked with
  | Ok (Some asked) when asked > facts.default_domains && Facts.at_once facts > facts.default_domains ->
      Some
        ( sprintf
            "WEFT_DOMAINS=%d is more than this process has processors for under its quota (%d), and while it \
             is set quotas do not count. All domains stop together for each minor collection, so those that \
             wait for a processor hold up the others."
            asked facts.default_domains,
          sprintf "Unset it, or set it to at most %d." facts.default_domains )
  | _ -> None

let processors_invalid (facts : Facts.t) =
  match facts.processors_asked with
  | Error line -> Some (line ^ ".", "Correct it or unset it.")
  | Ok _ -> None

let processors_above_now (facts : Facts.t) =
  let now = facts.processors_now.count in
  match facts.processors_asked with
  | Ok (Some asked) when asked > now ->
      Some
        ( sprintf
            "WEFT_PROCESSORS=%d lets more workers be at work at once than the process has processors now \
             (%d). They take turns, and hold each other up at every minor collection."
            asked now,
          sprintf "Unset it, or set it to at most %d." now )
  | _ -> None

let domain_limit (facts : Facts.t) =
  let domains = Facts.domains facts in
  if domains > facts.domain_limit then
    Some
      ( sprintf "The OCaml runtime allows %s in all, but a pool would have %d and runs with what it gets."
          (plural facts.domain_limit "domain") domains,
        sprintf "Set d=%d or more in OCAMLRUNPARAM (OCaml 5.3 or later)." domains )
  else None

let fence_by_owner (facts : Facts.t) =
  match (facts.fence, facts.membarrier) with
  | Owner, Available ->
      Some
        ( "WEFT_FENCE=owner makes every fork pay for a memory fence, though membarrier is available, which \
           spares it.",
          "Unset it (it is meant for tests)." )
  | _ -> None

(* {1 Settings of OCaml} *)

let minor_heap_small (facts : Facts.t) =
  let domains = Facts.domains facts in
  let ours = Weft_platform.Minor_heap.words_for ~domains () in
  (* OCaml's default size is enough for two domains. *)
  let enough =
    if domains > 2 then Weft_platform.Minor_heap.initial + 1 else Weft_platform.Minor_heap.initial
  in
  match facts.minor_heap_set_by with
  | Some how when facts.minor_heap_words < enough && domains > 1 ->
      Some
        ( sprintf
            "Minor heaps have %d words, set by %s, and all %d domains stop together whenever one of them is \
             full."
            facts.minor_heap_words how domains,
          sprintf "Leave the size to Weft: it would choose %d words (%d MiB per domain, %d MiB in all)." ours
            (Facts.bytes ours / 1048576)
            (domains * Facts.bytes ours / 1048576) )
  | _ -> None

let build_profile (facts : Facts.t) =
  if facts.build_profile = "dev" then
    Some
      ( "This program was built in dune's dev profile, in which nothing is inlined across modules.",
        "Build with --release before measuring anything." )
  else None

let program_profile (facts : Facts.t) =
  match facts.program with
  | Some { file; weft = Some { profile = "dev"; _ } } ->
      Some
        ( sprintf
            "The Weft in %s was built in dune's dev profile, in which nothing is inlined across modules: its \
             forks cost twice as much."
            file,
          "Build the program with --release." )
  | _ -> None

let bytecode (facts : Facts.t) =
  if facts.native then None
  else Some ("This program is bytecode, several times slower than native code.", "Build with ocamlopt.")

let ocaml_old (facts : Facts.t) =
  if Facts.at_least (5, 3) facts.ocaml_version then None
  else
    Some
      ( sprintf
          "OCaml %s is older than 5.3, the version that Weft is tuned for and measured with, and cannot \
           raise the limit of domains."
          facts.ocaml_version,
        "Move to OCaml 5.3 or later." )

(* {1 The machine} *)

let membarrier_missing (facts : Facts.t) =
  match facts.membarrier with
  | Missing reason ->
      Some
        ( sprintf "membarrier cannot be used (%s), so every fork pays for a memory fence." reason,
          "Use Linux 4.14 or later, and let the sandbox allow the system call." )
  | Available -> None

let one_processor (facts : Facts.t) =
  if facts.default_domains = 1 then
    Some
      ( "Only one processor may be used: parallel programs run here, but not faster than sequential ones.",
        "Give the process more processors." )
  else None

let affinity_below_online (facts : Facts.t) =
  match (facts.processors_allowed, facts.processors_online) with
  | Some allowed, Some online when allowed < online ->
      Some
        ( sprintf "The affinity mask (taskset, cpuset, batch system) leaves this process %d of %d processors."
            allowed online,
          "Widen it if it is not meant so." )
  | _ -> None

let quota_below_processors (facts : Facts.t) =
  let processors = Facts.processors facts in
  match facts.quota with
  | Some { processors = quota; file } when quota < float_of_int processors ->
      let fraction = if Float.is_integer quota then "" else " A whole number avoids such stops." in
      Some
        ( sprintf
            "The CPU quota of %g, set by %s, is below the %s that the process may run on: what uses it up \
             early is stopped until the next period."
            quota file (plural processors "processor"),
          "Raise it if it is not meant so." ^ fraction )
  | _ -> None

let load_high (facts : Facts.t) =
  let online = Option.value facts.processors_online ~default:(Facts.processors facts) in
  match facts.load with
  | Some { one; _ } when one > float_of_int online ->
      Some
        ( sprintf "The load average of %.2f is above the %s: programs wait for each other." one
            (plural online "processor"),
          "Measure when the machine is quiet, or set WEFT_DOMAINS to the processors that are free." )
  | _ -> None

let steal_high (facts : Facts.t) =
  match facts.steal_percent with
  | Some percent when percent > 5. ->
      Some
        ( sprintf "The hypervisor took %.1f %% of the processors' time away for other virtual machines."
            percent,
          "Look again; if it stays, move to a quieter host, and compare only figures measured side by side."
        )
  | _ -> None

let rules =
  [
    ("domains_invalid", domains_invalid);
    ("domains_above_processors", domains_above_processors);
    ("processors_invalid", processors_invalid);
    ("processors_above_now", processors_above_now);
    ("domain_limit", domain_limit);
    ("fence_by_owner", fence_by_owner);
    ("minor_heap_small", minor_heap_small);
    ("build_profile", build_profile);
    ("program_profile", program_profile);
    ("bytecode", bytecode);
    ("ocaml_old", ocaml_old);
    ("membarrier_missing", membarrier_missing);
    ("one_processor", one_processor);
    ("affinity_below_online", affinity_below_online);
    ("quota_below_processors", quota_below_processors);
    ("load_high", load_high);
    ("steal_high", steal_high);
  ]

let of_facts facts =
  List.filter_map (fun (id, rule) -> Option.map (fun (why, remedy) -> { id; why; remedy }) (rule facts)) rules

let all_ids = List.map fst rules
