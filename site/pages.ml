type t = { source : string; output : string; name : string }

let page source output name = { source; output; name }
let home = page "doc/index.md" "index.html" "Weft"

let groups =
  [
    ( "Start",
      [
        home;
        page "README.md" "readme.html" "At a glance";
        page "doc/tutorial.md" "tutorial.html" "Tutorial";
        page "doc/cookbook.md" "cookbook.html" "Cookbook";
        page "doc/by-example.md" "by-example.html" "By example";
        page "doc/algorithms.md" "algorithms.html" "Algorithms from the book";
        page "examples/README.md" "examples.html" "Examples";
        page "doc/errors.md" "errors.html" "First messages";
        page "doc/faq.md" "faq.html" "Questions";
        page "doc/stdlib-in-tasks.md" "stdlib-in-tasks.html" "The standard library in tasks";
        page "doc/runtime-faults.md" "runtime-faults.html" "Faults of the runtime";
        page "doc/testing.md" "testing.html" "Testing";
        page "doc/migrating.md" "migrating.html" "From domainslib";
        page "doc/cluster.md" "cluster.html" "Many machines";
      ] );
    ( "Reference",
      [
        page "doc/libraries.md" "api/index.html" "Interfaces";
        page "doc/reference.md" "reference.html" "Costs and environment";
        page "doc/stdlib.md" "stdlib.html" "The standard library's functions";
        page "doc/limits.md" "limits.html" "Known limits";
        page "doc/platforms.md" "platforms.html" "Platforms";
        page "doc/reliability.md" "reliability.html" "Reliability";
        page "SECURITY.md" "security.html" "Security";
        page "CHANGES.md" "changes.html" "Changes";
      ] );
    ( "Tools",
      [
        page "doc/tools.md" "tools.html" "The program weft";
        page "doc/profiling.md" "profiling.html" "Where the time went";
        page "doc/scaling.md" "scaling.html" "How well would it scale?";
        page "doc/performance.md" "performance.html" "Performance";
        page "doc/results.md" "results.html" "Results files";
        page "doc/trace-format.md" "trace-format.html" "Trace files";
      ] );
    ( "Inside",
      [
        page "doc/internals.md" "internals.html" "How it works";
        page "doc/rationale.md" "rationale.html" "Why it is like that";
        page "lib/scheduler/sleep/README.md" "sleepers.html" "Sleeping and waking";
        page "models/README.md" "models.html" "The models";
        page "test/model_check/README.md" "model-checking.html" "Model checking";
        page "HACKING.md" "hacking.html" "Working on Weft";
      ] );
  ]

let all = List.concat_map snd groups

let libraries =
  [
    "weft/Weft";
    "weft/Weft_unix";
    "weft/Weft_explore";
    "weft-batch/Weft_batch";
    "weft-batch/Weft_containers";
    "weft-domainslib/Domainslib";
    "weft-domainslib/Domainslib_04";
  ]

let interfaces =
  [
    ("lib/weft/weft.mli", "weft/Weft/index.html");
    ("lib/weft/pool.mli", "weft/Weft/Pool/index.html");
    ("lib/weft/promise.mli", "weft/Weft/Promise/index.html");
    ("lib/weft/parallel_array.mli", "weft/Weft/Array/index.html");
    ("lib/weft/parallel_seq.mli", "weft/Weft/Seq/index.html");
    ("lib/batch/weft_batch.mli", "weft-batch/Weft_batch/index.html");
    ("lib/domainslib/domainslib.mli", "weft-domainslib/Domainslib/index.html");
    ("lib/domainslib/index.mld", "weft-domainslib/index.html");
  ]
