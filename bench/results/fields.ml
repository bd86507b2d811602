open Weft_bench_harness
open Decode

(* {1 Header} *)

let machine t : Header.machine =
  {
    model = nullable string (field t "model");
    processors = nullable (int ~least:1) (field t "processors");
    affinity = nullable (int ~least:1) (field t "affinity");
    quota = nullable positive (field t "quota");
    kernel = nullable string (field t "kernel");
    hypervisor = nullable bool (field t "hypervisor");
  }

let compiler t : Header.compiler =
  {
    version = string (field t "version");
    flambda = bool (field t "flambda");
    architecture = string (field t "architecture");
    profile = string (field t "profile");
    flags = string (field t "flags");
  }

let share t =
  let x = positive t in
  if x > 1. then fail t (Printf.sprintf "expected a share from 0 to 1, found %g" x) else x

(* The form that [Header.finish] writes: any digit for a 0, the other characters literally. *)
let date t =
  let text = string t and form = "0000-00-00T00:00:00Z" in
  let is_like c = function '0' -> c >= '0' && c <= '9' | other -> Char.equal c other in
  if
    String.length text = String.length form
    && List.for_all2 is_like (List.of_seq (String.to_seq text)) (List.of_seq (String.to_seq form))
  then text
  else fail t (Printf.sprintf "expected a date such as \"2026-01-31T23:59:59Z\", found %S" text)

let kinds = List.map (fun kind -> (Header.kind_name kind, kind)) [ Header.Bench; Elastic; Baseline ]
let not_ours = "not a results file of 'weft bench --json'"

let check_schema header =
  if not (has header "schema") then
    if has header "format" then
      fail (field header "format")
        (Printf.sprintf "written by an older weft (schema 1; this one reads %d): run the benchmarks again"
           Header.schema)
    else fail header (Printf.sprintf "%s: the key 'schema' is missing" not_ours)
  else
    let schema = int ~least:1 (field header "schema") in
    if schema <> Header.schema then
      fail (field header "schema")
        (Printf.sprintf "%d is of %s weft; this one reads %d" schema
           (if schema > Header.schema then "a newer" else "an older")
           Header.schema)

let missing t = (string (field t "name"), string (field t "reason"))

let header root : Header.t =
  if has root "context" && has root "benchmarks" then
    fail root (not_ours ^ ", but JSON of Google Benchmark: give the file that --json wrote");
  if not (has root "header") then fail root (not_ours ^ ": there is no object 'header' in it");
  let t = field root "header" in
  check_schema t;
  {
    kind = one_of kinds (field t "kind");
    weft = string (field t "weft");
    date = date (field t "date");
    command = list string (field t "command");
    runs = int ~least:1 (field t "runs");
    runs_asked = int ~least:1 (field t "runs_asked");
    interrupted = bool (field t "interrupted");
    failed = field_or ~default:None (nullable string) t "failed";
    warm_up = bool (field t "warm_up");
    machine = machine (field t "machine");
    compiler = compiler (field t "compiler");
    minor_heap_words = int ~least:1 (field t "minor_heap_words");
    environment =
      List.map (fun (name, value) -> (name, nullable string value)) (fields (field t "environment"));
    default_domains = int ~least:1 (field t "default_domains");
    fence = one_of [ ("thief", "thief"); ("owner", "owner") ] (field t "fence");
    stolen_share = nullable share (field t "stolen_share");
    load_before = nullable positive (field t "load_before");
    load_after = nullable positive (field t "load_after");
    (* Older files, from before there were rivals, do not have it. *)
    missing = field_or ~default:[] (list missing) t "missing";
    versions =
      field_or ~default:[]
        (fun t -> List.map (fun (name, version) -> (name, string version)) (fields t))
        t "versions";
  }

(* {1 Rows} *)

let grains = [ ("cutoff", Benchmark.Cutoff ""); ("chunk", Chunk ""); ("fixed", Fixed) ]
let roles = [ ("baseline", Contestant.Baseline); ("beside", Beside); ("contender", Contender) ]
let domains t = int ~least:1 ~greatest:1_000_000 t
let name t = match string t with "" -> fail t "the name is empty" | name -> name

(* Writers in other languages may give fewer digits. *)
let is_about a b = Float.abs (a -. b) <= 1e-6 *. Float.max (Float.abs a) (Float.abs b)

let derived t what expected =
  let x = number t in
  if is_about x expected then x else fail t (Printf.sprintf "%g is not %s, %g" x what expected)

let rows ~configuration get t =
  let seen = Hashtbl.create 64 in
  let distinct t =
    let row = get t in
    let configuration = configuration row in
    match Hashtbl.find_opt seen configuration with
    | Some place -> fail t (Printf.sprintf "the same benchmark, method, domains, cutoff and size as %s" place)
    | None ->
        Hashtbl.add seen configuration (path t);
        row
  in
  list distinct t
