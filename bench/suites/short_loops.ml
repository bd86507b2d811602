open Weft_bench_harness
open Weft_bench_contestants

type shape = Even | Uneven

(* The gap is in operations, after each loop. *)
type input = { cells : int array; body : int -> unit; loops : int; gap : int }

(* The seconds are those within loops. *)
type result = { cells : int array; loops : int; seconds : float }

(* {1 The program} *)

let program (for_ : Ways.for_) { cells; body; loops; gap } =
  let loop () = for_ ~start:0 ~finish:(Array.length cells - 1) ~body in
  let from = Clock.now () in
  if gap = 0 then begin
    for _ = 1 to loops do
      loop ()
    done;
    { cells; loops; seconds = Clock.now () -. from }
  end
  else
    let seconds = ref 0. in
    for _ = 1 to loops do
      let from = Clock.now () in
      loop ();
      seconds := !seconds +. (Clock.now () -. from);
      Microseconds.spend gap
    done;
    { cells; loops; seconds = !seconds }

let times_as_much = 10

let input shape ~microseconds ~loops ~gap =
  let operations = microseconds * Microseconds.per_microsecond () in
  let n = match shape with Even -> operations | Uneven -> 2 * operations / (1 + times_as_much) in
  let cells = Array.make (max 2 n) 0 in
  let middle = Array.length cells / 2 in
  let uneven i =
    if i >= middle then Microseconds.spend (times_as_much - 1);
    Microseconds.advance cells i
  in
  let body = match shape with Even -> fun i -> Microseconds.advance cells i | Uneven -> uneven in
  { cells; body; loops; gap = gap * Microseconds.per_microsecond () }

(* {1 Ways} *)

(* [input] makes the input for a size; all programs must leave what the plain one does. *)
let way input =
  let expected =
    Checks.once_per_size (fun size -> (program Plain.for_ { (input size) with gap = 0 }).cells)
  in
  fun (contestant, for_) : Benchmark.way ->
    let work ({ size; _ } : Benchmark.params) =
      Some
        (Benchmark.Work
           {
             prepare = (fun () -> input size);
             compute = program for_;
             check =
               (fun { cells; _ } ->
                 let expected = expected size in
                 Checks.ints ~length:(Array.length expected) ~expected:(Array.get expected) cells);
             forks = None;
             figures =
               (fun ~seconds:_ { loops; seconds; _ } ->
                 Figure.operations ~what:"loop" ~seconds loops @ [ Microseconds.figure () ]);
           })
    in
    { contestant; work }

let weft_for ~start ~finish ~body = Weft.parallel_for ~start ~finish ~body ()
let ours = [ (Plain.contestant, Plain.for_); (Weft_pool.loop, weft_for) ]

(* {1 The benchmarks} *)

type case = { name : string; group : string option; doc : string; shape : shape; gap : int; sizes : int list }

let in_a_run = 50_000
let sizes = [ 2; 5; 10; 20; 50; 100; 200 ]
let gaps = [ (10, "10", "us"); (100, "100", "us"); (1_000, "1", "ms"); (10_000, "10", "ms") ]

let cases =
  let case ?group ?(doc = "") ?(shape = Even) ?(gap = 0) ?(sizes = sizes) name =
    { name; group; doc = "loops of some microseconds, one after the other" ^ doc; shape; gap; sizes }
  in
  [
    case "short_loops";
    case "short_loops_uneven" ~shape:Uneven
      ~doc:(Printf.sprintf "; an iteration of the second half does %d times the work" times_as_much);
  ]
  @ List.map
      (fun (gap, number, unit_) ->
        case ~group:"short_loops_gaps"
          ("short_loops_gaps_" ^ number ^ unit_)
          ~doc:(Printf.sprintf ", with %s %s of sequential work after each" number unit_)
          ~gap ~sizes:[ 10; 100 ])
      gaps

let input_of { shape; gap; _ } microseconds =
  input shape ~microseconds ~gap ~loops:(max 10 (in_a_run / (microseconds + gap)))

let by contestant for_ = List.map (fun case -> (case.name, way (input_of case) (contestant, for_))) cases

let base ~name ~doc ~size_doc ~default_size ways =
  { (Operations.benchmark ~name ~doc ~size_doc ~default_size ways) with sizes = (1, 1_000_000) }

let benchmark case : Benchmark.t =
  {
    (base ~name:case.name ~doc:case.doc ~size_doc:"the work of one loop in microseconds"
       ~default_size:(List.hd case.sizes)
       (List.map (way (input_of case)) ours))
    with
    group = case.group;
    sizes = (1, 10_000);
    more_sizes = List.tl case.sizes;
    quick_size = Fun.const 10;
    sweep_sizes = 1 :: sizes;
  }

let benchmarks = List.map benchmark cases

let of_length microseconds others =
  let input loops = input Even ~microseconds ~loops ~gap:0 in
  let name = Printf.sprintf "loops_%dus" microseconds in
  base ~name
    ~doc:(Printf.sprintf "loops of %d us, one after the other" microseconds)
    ~size_doc:"the number of loops" ~default_size:(1_000_000 / microseconds)
    (List.map (way input) (ours @ others))
