open Weft_bench_harness
open Weft_bench_contestants

type structure = {
  name : string;
  doc : string;
  range : int;
  most_before : int;
  operations : Workload.mix -> int;
  sequential : Subject.t;
  stdlib : (Contestant.t * Subject.t) option;
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

(* How the operations are made: one call for each, in a plain loop or in another way; if all are adds, one call
   for all; or by one fiber. *)
type way = In_a_loop | Singly of (int -> (int -> unit) -> unit) | At_once | Exec_many | Submit

let bindings operations = Array.mapi (fun i operation -> (Workload.key_of operation, i)) operations

let work_by way workload
    (Subject.Map { create; fill; operations; add_all; many; contents; replaces; figures }) =
  let prepare () =
    let workload = workload () in
    let map = create (Array.length workload.Workload.before) in
    fill map workload.before Workload.value_before;
    let n = Array.length workload.operations in
    let answers = Bytes.make n Account.not_found in
    let input = { map; workload; answers } in
    let perform =
      match way with
      | In_a_loop ->
          fun () ->
            for i = 0 to n - 1 do
              make_one operations input i
            done
      | Singly how -> fun () -> how n (fun i -> make_one operations input i)
      | At_once ->
          let add_all = Option.get add_all in
          let bindings = bindings workload.operations in
          fun () -> add_all map bindings
      | Exec_many -> One_fiber.exec_many (Option.get many) map workload answers
      | Submit -> One_fiber.submit (Option.get many) map workload answers
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

let ways ?(all = true) s ~batched workload =
  let plain contestant map = way contestant In_a_loop map workload in
  let lockfree map = way Methods.lockfree (Singly Methods.tasks) map workload in
  let of_batched contestant how = way contestant how s.batched workload in
  [ plain Plain.contestant s.sequential ]
  @ (if all then Option.to_list (Option.map (fun (contestant, map) -> plain contestant map) s.stdlib) else [])
  @ [ way Methods.coarse (Singly Methods.tasks) (Subject.locked s.sequential) workload ]
  @ Option.to_list (Option.map lockfree s.lockfree)
  @ [ of_batched Methods.batched batched ]
  @ if all then [ of_batched Methods.exec_many Exec_many; of_batched Methods.submit Submit ] else []

(* How many bindings the map has at the start for each operation; [most_before] limits them. In a quick run, too,
   they are too many for the processor's caches, as {!Weft_batch} judges that: batches warm them. *)
let for_mixed = 5
let for_bulk = 20
let before s ~for_each n = min s.most_before (for_each * n)

let benchmark ~group ~name ~doc ~for_each ~default_size ~quick_size s ways : Benchmark.t =
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
    quick_size = (fun _ -> max 1 quick_size);
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
    ~for_each ~default_size:(s.operations mix)
    ~quick_size:(s.operations mix / 100)
    s
    (ways s ~all:(pattern = Uniform) ~batched:(Singly Methods.tasks) (fun n ->
         Workload.make mix pattern ~range:s.range ~before:(before s ~for_each n) n))

let bulk ~group s pattern =
  let for_each = for_bulk in
  let default_size = s.most_before / for_each in
  let workload n = Workload.make Workload.insert pattern ~range:s.range ~before:(before s ~for_each n) n in
  let suffix = match pattern with Keys.Ascending -> "" | _ -> "_" ^ Keys.name pattern in
  benchmark ~group
    ~name:(Printf.sprintf "batch_%s_bulk%s" s.name suffix)
    ~doc:(Printf.sprintf "%s, %s keys: added all at once (batched), or one by one" s.doc (Keys.name pattern))
    ~for_each ~default_size ~quick_size:(default_size / 40) s (ways s ~batched:At_once workload)
