module Machine = Weft_platform.Machine
module Membarrier = Weft_platform.Membarrier

type program = { file : string; weft : Program_build.t option }

type t = {
  program : program option;
  weft_version : string;
  build_profile : string;
  ocaml_version : string;
  native : bool;
  flambda : bool;
  architecture : string;
  kernel_release : string option;
  processor_model : string option;
  virtual_machine : bool option;
  processors_online : int option;
  processors_allowed : int option;
  quota : Machine.quota option;
  processors_now : Machine.processors;
  weft_processors : string option;
  processors_asked : (int option, string) result;
  recommended_domains : int;
  default_domains : int;
  default_limit : Machine.limit;
  weft_domains : string option;
  domains_asked : (int option, string) result;
  membarrier : Membarrier.membarrier;
  fence : Membarrier.mode;
  fence_why : string;
  weft_fence : string option;
  minor_heap_words : int;
  minor_heap_set_by : string option;
  runtime_parameters : string option;
  domain_limit : int;
  load : Machine.load option;
  steal_percent : float option;
  sample_seconds : float;
}

let at_least wanted version =
  match Scanf.sscanf_opt version "%u.%u" (fun major minor -> (major, minor)) with
  | Some found -> compare found wanted >= 0
  | None -> false

(* Parses the value of one parameter as the runtime does: decimal or hexadecimal digits, perhaps followed by
   a factor. *)
let parameter key text =
  let scale = function "k" -> 1 lsl 10 | "M" -> 1 lsl 20 | "G" -> 1 lsl 30 | _ -> 1 in
  let value text = Scanf.sscanf_opt text "%c=%i%s" (fun found n factor -> (found, n * scale factor)) in
  match value text with Some (found, n) when found = key -> Some n | _ -> None

let domain_limit_of ~ocaml_version parameters =
  let default = if Sys.word_size = 32 then 16 else 128 in
  let given = String.split_on_char ',' (Option.value parameters ~default:"") in
  let last before text = match parameter 'd' text with Some n -> n | None -> before in
  if at_least (5, 3) ocaml_version then List.fold_left last default given else default

let printable = Weft_files.Foreign_text.line
let environment name = Option.map printable (Sys.getenv_opt name)

let steal_percent sample_seconds =
  let before = Machine.cpu_time () in
  Unix.sleepf sample_seconds;
  match (before, Machine.cpu_time ()) with
  | Some before, Some after -> Option.map (( *. ) 100.) (Machine.stolen_share ~before ~after)
  | _ -> None

let gather ?program ~sample_seconds () =
  let default_domains, default_limit = Machine.default_limit () in
  let printable_file quota = { quota with Machine.file = printable quota.Machine.file } in
  let runtime_parameters =
    match environment "OCAMLRUNPARAM" with None -> environment "CAMLRUNPARAM" | given -> given
  in
  {
    program;
    weft_version = Build_facts.version;
    build_profile = Build_facts.profile;
    ocaml_version = Sys.ocaml_version;
    native = Sys.backend_type = Native;
    flambda = Build_facts.flambda;
    architecture = Build_facts.architecture;
    kernel_release = Option.map printable (Machine.kernel_release ());
    processor_model = Option.map printable (Machine.processor_model ());
    virtual_machine = Machine.virtual_machine ();
    processors_online = Machine.processors_online ();
    processors_allowed = Machine.processors_allowed ();
    quota = Option.map printable_file (Machine.cpu_quota ());
    processors_now = Machine.processors_now ();
    weft_processors = environment "WEFT_PROCESSORS";
    processors_asked = Machine.processors_from_env (Sys.getenv_opt "WEFT_PROCESSORS");
    recommended_domains = Domain.recommended_domain_count ();
    default_domains;
    default_limit;
    weft_domains = environment "WEFT_DOMAINS";
    domains_asked = Machine.domains_from_env (Sys.getenv_opt "WEFT_DOMAINS");
    membarrier = Membarrier.membarrier;
    fence = Membarrier.mode;
    fence_why = printable Membarrier.why;
    weft_fence = environment "WEFT_FENCE";
    minor_heap_words = (Gc.get ()).minor_heap_size;
    minor_heap_set_by = Weft_platform.Minor_heap.set_by_user ();
    runtime_parameters;
    domain_limit = domain_limit_of ~ocaml_version:Sys.ocaml_version runtime_parameters;
    load = Machine.load_average ();
    steal_percent = steal_percent sample_seconds;
    sample_seconds;
  }

let domains facts = match facts.domains_asked with Ok (Some count) -> count | _ -> facts.default_domains

let processors facts =
  match (facts.processors_allowed, facts.processors_online) with
  | Some count, _ | None, Some count -> count
  | None, None -> facts.recommended_domains

let at_once facts =
  match (facts.processors_asked, facts.domains_asked) with
  | Ok (Some count), _ -> count
  | _, Ok (Some _) -> processors facts
  | _, (Ok None | Error _) -> facts.processors_now.count

let bytes words = words * (Sys.word_size / 8)
let minor_heap_bytes facts = bytes facts.minor_heap_words

let pool_minor_heap_words facts =
  if facts.minor_heap_set_by <> None then facts.minor_heap_words
  else Weft_platform.Minor_heap.words_for ~domains:(domains facts) ()
