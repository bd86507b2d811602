let prefixes =
  [
    "Weft_platform__";
    "Weft_scheduler__";
    "Weft_loops__";
    "Weft_sync__";
    "Weft__";
    "Weft_batch__";
    "Weft_unix__";
    "Weft_explore.";
    "Weft_explore__";
    "Weft_schedules__";
  ]

let is_own name = List.exists (fun prefix -> String.starts_with ~prefix name) prefixes

let is_stdlib name =
  String.starts_with ~prefix:"Stdlib" name || String.starts_with ~prefix:"CamlinternalLazy" name
