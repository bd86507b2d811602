open Weft_doctor
module Machine = Weft_platform.Machine

let fine : Facts.t =
  {
    program = None;
    weft_version = "0.1.0";
    build_profile = "release";
    ocaml_version = "5.3.0";
    native = true;
    flambda = false;
    architecture = "amd64";
    kernel_release = Some "6.1.0";
    processor_model = Some "Fast CPU";
    virtual_machine = Some false;
    processors_online = Some 8;
    processors_allowed = Some 8;
    quota = None;
    processors_now = { count = 8; share = 8. };
    weft_processors = None;
    processors_asked = Ok None;
    recommended_domains = 8;
    default_domains = 8;
    default_limit = Allowed;
    weft_domains = None;
    domains_asked = Ok None;
    membarrier = Available;
    fence = Thief;
    fence_why = "membarrier works";
    weft_fence = None;
    minor_heap_words = 2 * 1024 * 1024;
    minor_heap_set_by = Some "OCAMLRUNPARAM";
    runtime_parameters = Some "s=2M";
    domain_limit = 128;
    load = Some { one = 8.; five = 0.; fifteen = 0. };
    steal_percent = Some 5.;
    sample_seconds = 0.2;
  }

let unknown =
  {
    fine with
    kernel_release = None;
    processor_model = None;
    virtual_machine = None;
    processors_online = None;
    processors_allowed = None;
    default_limit = Recommended;
    load = None;
    steal_percent = None;
  }

let small_heap = { fine with minor_heap_words = 262144; runtime_parameters = Some "s=256k" }
let usual_heap = { small_heap with minor_heap_set_by = None; runtime_parameters = None }

let asking count (facts : Facts.t) =
  { facts with weft_domains = Some (string_of_int count); domains_asked = Ok (Some count) }

let at_once count (facts : Facts.t) =
  { facts with weft_processors = Some (string_of_int count); processors_asked = Ok (Some count) }

let quota processors = Some { Machine.processors; file = "/sys/fs/cgroup/a/cpu.max" }

let calls_for =
  [
    ( "domains_invalid",
      { fine with weft_domains = Some "x"; domains_asked = Error "WEFT_DOMAINS=x is bad" },
      "WEFT_DOMAINS=x is bad." );
    ( "domains_above_processors",
      asking 9 { fine with default_domains = 2 },
      "WEFT_DOMAINS=9 is more than this process has processors for under its quota (2)" );
    ( "processors_invalid",
      { fine with weft_processors = Some "x"; processors_asked = Error "WEFT_PROCESSORS=x is bad" },
      "WEFT_PROCESSORS=x is bad." );
    ("processors_above_now", at_once 9 fine, "at most 8.");
    ( "processors_above_now",
      at_once 3 { fine with processors_now = { count = 2; share = 1.5 } },
      "WEFT_PROCESSORS=3" );
    ("domain_limit", { fine with domain_limit = 7 }, "d=8");
    ("fence_by_owner", { fine with fence = Owner; weft_fence = Some "owner" }, "WEFT_FENCE=owner");
    ("minor_heap_small", small_heap, "set by OCAMLRUNPARAM");
    ("minor_heap_small", asking 3 small_heap, "2097152 words (16 MiB per domain, 48 MiB in all)");
    ( "minor_heap_small",
      asking 2 { small_heap with minor_heap_words = 512 },
      "1048576 words (8 MiB per domain, 16 MiB in all)" );
    ("build_profile", { fine with build_profile = "dev" }, "--release");
    ( "program_profile",
      { fine with program = Some { file = "./mine"; weft = Some { version = "0.1.0"; profile = "dev" } } },
      "The Weft in ./mine was built in dune's dev profile" );
    ("bytecode", { fine with native = false }, "ocamlopt");
    ("ocaml_old", { fine with ocaml_version = "5.2.1" }, "OCaml 5.2.1 is older");
    ("membarrier_missing", { fine with membarrier = Missing "old kernel"; fence = Owner }, "(old kernel)");
    ( "one_processor",
      { fine with processors_online = Some 1; processors_allowed = Some 1; default_domains = 1; load = None },
      "Only one processor" );
    ( "affinity_below_online",
      { fine with processors_allowed = Some 4; default_domains = 4 },
      "4 of 8 processors" );
    ( "quota_below_processors",
      { fine with quota = quota 1.5; default_domains = 2 },
      "1.5, set by /sys/fs/cgroup/a/cpu.max" );
    ( "load_high",
      { fine with load = Some { one = 8.01; five = 0.; fifteen = 0. } },
      "8.01 is above the 8 processors" );
    ("steal_high", { fine with steal_percent = Some 5.1 }, "5.1 %");
  ]
