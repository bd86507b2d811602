open Weft_bench_harness
open Weft_bench_contestants

type structure = {
  name : string;
  doc : string;
  range : int;
  most_before : int;
  operations : Workload.mix -> int;
  sequential : Subject.t;
  batched : Subject.t;
  lockfree : Subject.t option;
}

(* {1 One run} *)

type 'm input = { map : 'm; workload : Workload.t; answers : Bytes.t }
type 'm result = { input : 'm input; begun : Methods.words; mutable words : float }

let[@inline] make_one ({ mem; add; remove } : _ Subject.operations) { map; workload; answers } i =
  let operation = workload.operations.(i) in
  let key = Workload.key_of operation in
  match Workload.kind_of operation with
  | Search -> if mem map key then Bytes.set answers i Account.found
  | Add -> add map key i
  | Remove -> if remove map key then Bytes.set answers i Account.found

(* How the operations are made: one call for each or, if all are adds, one call for all. *)
type way = Singly of (int -> (int -> unit) -> unit) | At_once

let bindings operations = Array.mapi (fun i operation -> (Workload.key_of operation, i)) operations

let work_by way workload (Subject.Map { create; fill; operations; add_all; contents; replaces; figures }) =
  let prepare () =
    let workload = workload () in
    let map = create (Array.length workload.Workload.before) in
    fill map workload.before Workload.value_before;
    let n = Array.length workload.operations in
    let input = { map; workload; answers = Bytes.make n Account.not_found } in
    let perform =
      match (way, add_all) with
      | Singly how, _ -> fun () -> how n (fun i -> make_one operations input i)
      | At_once, Some add_all ->
          let bindings = bindings workload.operations in
          fun () -> add_all map bindings
      | At_once, None -> invalid_arg "Map_benchmarks.work_by: no add_all"
    in
    (input, perform)
  in
  let compute (input, perform) =
    let begun = Methods.words () in
    perform ();
    { input; begun; words = nan }
  in
  let check ({ input = { map; workload; answers }; begun; _ } as result) =
    result.words <- Methods.words_since begun;
    Account.check ~replaces workload answers (contents map)
  in
  let figures ~seconds { input = { map; workload; _ }; words; _ } =
    Methods.figures ~seconds ~words (Array.length workload.operations) @ figures map
  in
  Benchmark.Work { prepare; compute; check; forks = None; figures }

let work how = work_by (Singly how)

(* {1 Benchmarks} *)

let way contestant way map workload : Benchmark.way =
  {
    contestant;
    work =
      (fun { Benchmark.size; domains = _; cutoff = _ } -> Some (work_by way (fun () -> workload size) map));
  }

let ways s ~batched workload =
  let lockfree map = way Methods.lockfree (Singly Methods.tasks) map workload in
  [
    way Plain.contestant (Singly Methods.in_order) s.sequential workload;
    way Methods.coarse (Singly Methods.tasks) (Subject.locked s.sequential) workload;
  ]
  @ Option.to_list (Option.map lockfree s.lockfree)
  @ [ way Methods.batched batched s.batched workload ]

(* How many bindings the map has at the start for each operation; [most_before] limits them. *)
let for_mixed = 5
let for_bulk = 20
let before s ~for_each n = min s.most_before (for_each * n)

let benchmark ~group ~name ~doc ~for_each ~default_size s ways : Benchmark.t =
  {
    name;
    group = Some group;
    doc;
    size_doc =
      Printf.sprintf "the number of operations, on a map of %d times as many keys (at most %d)" for_each
        s.most_before;
    grain = Fixed;
    sizes = (0, 100_000_000);
    default_cutoffs = [ None ];
    default_size = (fun _ -> default_size);
    more_sizes = [];
    quick_size = (fun _ -> max 1 (default_size / 100));
    sweep_cutoffs = [];
    sweep_sizes = Benchmark.tenths default_size;
    paced = false;
    ways;
  }

let mixed ~group s (mix : Workload.mix) pattern =
  let name, keys =
    match pattern with
    | Keys.Uniform -> (Printf.sprintf "batch_%s_%s" s.name mix.name, "random keys")
    | _ -> (Printf.sprintf "batch_%s_%s_%s" s.name mix.name (Keys.name pattern), Keys.name pattern ^ " keys")
  in
  let for_each = for_mixed in
  benchmark ~group ~name
    ~doc:(Printf.sprintf "%s, %s: %s" s.doc keys mix.doc)
    ~for_each ~default_size:(s.operations mix) s
    (ways s ~batched:(Singly Methods.tasks) (fun n ->
         Workload.make mix pattern ~range:s.range ~before:(before s ~for_each n) n))

let bulk ?by_one_fiber ~group s pattern =
  let for_each = for_bulk in
  let workload n = Workload.make Workload.insert pattern ~range:s.range ~before:(before s ~for_each n) n in
  let suffix = match pattern with Keys.Ascending -> "" | _ -> "_" ^ Keys.name pattern in
  benchmark ~group
    ~name:(Printf.sprintf "batch_%s_bulk%s" s.name suffix)
    ~doc:(Printf.sprintf "%s, %s keys: added all at once (batched), or one by one" s.doc (Keys.name pattern))
    ~for_each ~default_size:(s.most_before / for_each) s
    (match by_one_fiber with
    | None -> ways s ~batched:At_once workload
    | Some others ->
        let of_one (contestant, runs_on, map) =
          let way = way contestant At_once map workload in
          { way with work = (fun params -> if runs_on params.domains then way.work params else None) }
        in
        way Plain.contestant (Singly Methods.in_order) s.sequential workload
        :: way Methods.batched At_once s.batched workload
        :: List.map of_one others)
