open Weft_bench_harness

type event = { benchmark : string; method_ : string; params : Benchmark.params }

let events = ref []
let ran () = List.rev !events
let reset () = events := []

let way benchmark (contestant : Contestant.t) answer : Benchmark.way =
  {
    contestant;
    work =
      (fun params ->
        Some
          (Work
             {
               prepare = (fun () -> ());
               compute =
                 (fun () ->
                   events := { benchmark; method_ = contestant.name; params } :: !events;
                   answer params);
               check = Benchmark.int_check ~expected:params.size;
               forks = Some 10;
               figures = Benchmark.no_figures;
             }));
  }

let right (params : Benchmark.params) = params.size

let benchmark ?(name = "toy") ?group ?(grain = Benchmark.Cutoff "nothing") ?(answer = right) () : Benchmark.t
    =
  let twin : Contestant.t =
    { name = "twin"; doc = "a twin"; role = Contender; inside = (fun ~domains:_ f -> f ()) }
  in
  {
    name;
    group;
    doc = "a toy";
    size_doc = "the result";
    grain;
    sizes = (0, 100);
    default_cutoffs = (match grain with Cutoff _ -> [ Some 3; None ] | Chunk _ | Fixed -> [ None ]);
    default_size = (fun _ -> 7);
    more_sizes = [];
    quick_size = (fun _ -> 2);
    sweep_cutoffs = (match grain with Cutoff _ -> [ 1; 2; 4 ] | Chunk _ -> [ 1; 4; 16 ] | Fixed -> []);
    sweep_sizes = [ 5; 6 ];
    paced = false;
    ways = [ way name Weft_bench_contestants.Plain.contestant right; way name twin answer ];
  }

type outcome = { code : int; out : string; err : string }

let message err =
  List.find (Fun.negate (String.starts_with ~prefix:"Usage: ")) (String.split_on_char '\n' err)

(* [redirected fd f] is the text written to [fd] during [f ()], and the result. *)
let redirected fd f =
  let file = Filename.temp_file "toy" ".out" in
  let saved = Unix.dup ~cloexec:true fd in
  let target = Unix.openfile file [ O_WRONLY; O_TRUNC; O_CLOEXEC ] 0 in
  Unix.dup2 target fd;
  Unix.close target;
  let restore () =
    flush_all ();
    Unix.dup2 saved fd;
    Unix.close saved
  in
  let result = Fun.protect ~finally:restore f in
  let text = In_channel.with_open_bin file In_channel.input_all in
  Sys.remove file;
  (text, result)

let command cmd arguments =
  flush_all ();
  let argv = Array.of_list (Cmdliner.Cmd.name cmd :: arguments) in
  (* As in the program [weft]. *)
  let run () =
    match Cmdliner.Cmd.eval_value ~argv cmd with
    | Ok (`Ok code) -> code
    | Ok (`Help | `Version) -> 0
    | Error (`Parse | `Term) -> Weft_bench.Output.exit_usage
    | Error `Exn -> 125
  in
  let out, (err, code) = redirected Unix.stdout (fun () -> redirected Unix.stderr run) in
  { code; out; err }

let bench ?on_request ?large ?missing ?(rivals = Weft_bench.Measure.no_rivals) benchmarks arguments =
  reset ();
  command (Weft_bench.Bench_command.of_benchmarks ?on_request ?large ?missing ~rivals benchmarks) arguments

let in_folder f = Testing.Folder.within "bench" f
