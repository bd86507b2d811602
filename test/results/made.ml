open Weft_bench_harness
open Weft_bench_results

let header : Header.t =
  {
    kind = Bench;
    weft = "0.1.0";
    date = "2026-01-31T23:59:59Z";
    command = [ "weft"; "bench"; "fib" ];
    runs = 5;
    runs_asked = 5;
    missing = [ ("absent", "nobody has it") ];
    versions = [ ("rayon", "rayon 1.12.0") ];
    interrupted = false;
    failed = None;
    warm_up = true;
    machine =
      {
        model = Some "A processor";
        processors = Some 4;
        affinity = Some 2;
        quota = None;
        kernel = Some "6.1";
        hypervisor = Some false;
      };
    compiler =
      { version = "5.3.0"; flambda = false; architecture = "amd64"; profile = "release"; flags = "-O3" };
    minor_heap_words = 262_144;
    environment = [ ("OCAMLRUNPARAM", None); ("WEFT_DOMAINS", Some "2") ];
    default_domains = 2;
    fence = "thief";
    stolen_share = Some 0.01;
    load_before = Some 0.5;
    load_after = None;
  }

let figure (title, values) = { Row.title; values; middle = Row.median values }

let row ?(bench = "fib") ?(grain = Benchmark.Cutoff "") ?(method_ = "par") ?(role = Contestant.Contender)
    ?(paced = false) ?(domains = 2) ?cutoff ?(size = 30) ?(figures = []) seconds : Row.t =
  {
    bench;
    grain;
    method_;
    role;
    paced;
    domains;
    cutoff;
    size;
    seconds;
    median = Row.median seconds;
    min = List.fold_left Float.min Float.infinity seconds;
    ns_per_fork = None;
    ratio_to_sequential = None;
    ratio_to_default = None;
    speed_up = None;
    cpu_seconds = Row.median seconds;
    cpu_ratio = None;
    cpu_runs = seconds;
    voluntary_switches = Some 3.;
    involuntary_switches = None;
    minor_collections = Some 2.5;
    major_collections = None;
    peak_bytes = Some 1_000_000;
    figures = List.map figure figures;
  }

let results ?(header = header) ?(skipped = []) rows = { Results.header; rows = Row.compare_all rows; skipped }
let plain seconds = row ~method_:"sequential" ~role:Baseline ~domains:1 seconds

let sample =
  results
    [
      plain [ 0.1; 0.11; 0.12; 0.13; 0.14 ];
      row ~domains:1 [ 0.2; 0.21; 0.22; 0.23; 0.24 ];
      row [ 0.15; 0.16; 0.14; 0.17; 0.13 ];
      row ~cutoff:20 [ 0.05; 0.06; 0.055; 0.065; 0.07 ];
      row ~bench:"iota" ~grain:(Chunk "") ~method_:"loop" ~size:1_000 [ 1e-5; 2e-5; 3e-5; 4e-5; 5e-5 ];
      row ~bench:"wake" ~grain:Fixed ~method_:"submit" ~paced:true
        ~figures:[ ("wake p99 us", [ 10.; 20.; 30.; 40.; 50. ]); ("jobs, \"all\"", [ 7.; 7.; 7.; 7.; 7. ]) ]
        [ 1.; 1.; 1.; 1.; 1. ];
    ]

(* {1 Files} *)

let write path text = Out_channel.with_open_bin path (fun c -> Out_channel.output_string c text)

let file folder name json =
  let path = Filename.concat folder name in
  write path (Yojson.Safe.to_string json);
  path

let in_folder f = Testing.Folder.within "results" f

(* {1 Paths} *)

type step = Key of string | Index of int

(* "rows[0].median" is Key "rows", Index 0, Key "median". *)
let steps path =
  let of_part part =
    match String.split_on_char '[' part with
    | [] -> []
    | key :: indices ->
        let index text = Index (int_of_string (String.sub text 0 (String.length text - 1))) in
        Key key :: List.map index indices
  in
  List.concat_map of_part (String.split_on_char '.' path)

let rec update steps change (json : Yojson.Safe.t) : Yojson.Safe.t option =
  match (steps, json) with
  | [], json -> change (Some json)
  | Index i :: rest, `List elements ->
      Some
        (`List
           (List.concat
              (List.mapi
                 (fun j json -> if i = j then Option.to_list (update rest change json) else [ json ])
                 elements)))
  | Key key :: rest, `Assoc fields when List.mem_assoc key fields ->
      let field (name, json) =
        if String.equal name key then Option.map (fun json -> (name, json)) (update rest change json)
        else Some (name, json)
      in
      Some (`Assoc (List.filter_map field fields))
  | [ Key key ], `Assoc fields ->
      Some (`Assoc (fields @ Option.to_list (Option.map (fun json -> (key, json)) (change None))))
  | _ -> Alcotest.fail "no such path"

let set path value json = Option.get (update (steps path) (fun _ -> Some value) json)
let without path json = Option.get (update (steps path) (fun _ -> None) json)

let get path json =
  let found = ref `Null in
  let look json =
    found := Option.get json;
    json
  in
  ignore (update (steps path) look json : Yojson.Safe.t option);
  !found

(* {1 Texts} *)
