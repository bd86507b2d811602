open Weft_bench_contestants

(* The file of the last size that was asked for, if it was written as a whole. *)
let file_of write =
  let last = ref None in
  let remove () =
    Option.iter (fun (_, path) -> try Sys.remove path with Sys_error _ -> ()) !last;
    last := None
  in
  at_exit remove;
  Weft_bench_harness.Interrupts.at_end remove;
  fun size ->
    match !last with
    | Some (of_size, path) when of_size = size -> path
    | _ ->
        remove ();
        let made () =
          let path = Filename.temp_file "weft-bench" ".txt" in
          last := Some (size, path);
          path
        in
        let path = Weft_bench_harness.Interrupts.whole made in
        (try Out_channel.with_open_bin path (fun channel -> write channel size)
         with e ->
           remove ();
           raise e);
        path

let numbers =
  file_of (fun channel size ->
      let random = Weft.Random.make size in
      for i = 0 to size - 1 do
        Printf.fprintf channel "%d\n" (Weft.Random.int_at random i 1_000_000_000)
      done)

let long_line = file_of (fun channel size -> Out_channel.output_string channel (String.make size 'x'))

(* {1 In turn} *)

let fold_lines f init path =
  In_channel.with_open_bin path @@ fun channel ->
  let rec from acc =
    match In_channel.input_line channel with Some line -> from (f acc line) | None -> acc
  in
  from init

let in_turn path = Array.of_list (List.rev (fold_lines (fun lines line -> line :: lines) [] path))

let sorted_in_turn path =
  let lines = in_turn path in
  Array.stable_sort String.compare lines;
  lines

let sum_in_turn = fold_lines (fun sum line -> sum + int_of_string line) 0

(* {1 Weft} *)

let of_file = Weft.Seq.lines
let mapped path = Weft.Seq.Text.(lines (of_file path))

let sorted path =
  let lines = Weft.Seq.to_array (mapped path) in
  Weft.Array.stable_sort String.compare lines;
  lines

let sum lines = Weft.Seq.sum (Weft.Seq.map int_of_string lines)

(* {1 The system} *)

let if_there program f = if Command.is_there program then [ (program, f program) ] else []

let sum_by_awk awk path =
  int_of_string (List.hd (Command.lines_of awk [ {|{ sum += $1 } END { printf "%.0f\n", sum }|}; path ]))

let sorted_by_program sort path = Array.of_list (Command.lines_of sort [ path ])

let missing : Weft_bench_harness.Contestant.missing list =
  let of_program ((program : Weft_bench_harness.Contestant.t), benchmark) =
    if Command.is_there program then None
    else
      Some
        {
          Weft_bench_harness.Contestant.name = program.name;
          reason = "there is no such program in PATH";
          benchmarks = [ benchmark ];
        }
  in
  List.filter_map of_program [ (Command.awk, "data_sum_column"); (Command.sort, "data_sort_lines") ]

(* {1 The benchmarks} *)

let of_lines = "the number of lines"

(* [awk] adds up in floating point: the sums of so many numbers below 10^9 are below 2^53, so exact. *)
let most_summed = 9_000_000

let benchmarks =
  [
    Same_result.benchmark ~group:"data" ~name:"lines" ~doc:"the lines of a file, in an array"
      ~size_doc:of_lines ~size:3_000_000 ~input:numbers ~digest:Same_result.strings
      ( (Plain.contestant, in_turn),
        [
          (Weft_pool.array, fun path -> Weft.Seq.to_array (of_file path));
          (Weft_pool.mapped, fun path -> Weft.Seq.to_array (mapped path));
        ] );
    Same_result.benchmark ~group:"data" ~name:"long_line" ~doc:"a file of a single line"
      ~size_doc:"the number of bytes" ~size:100_000_000 ~input:long_line ~digest:Fun.id
      ( (Plain.contestant, fold_lines (fun n line -> n + String.length line) 0),
        [
          (Weft_pool.array, fun path -> Weft.Seq.(sum (map String.length (of_file path))));
          (Weft_pool.mapped, fun path -> Weft.Seq.(sum (map String.length (mapped path))));
        ] );
    Same_result.benchmark ~sizes:(0, most_summed) ~group:"data" ~name:"sum_column"
      ~doc:"the sum of the numbers in the lines of a file" ~size_doc:of_lines ~size:3_000_000 ~input:numbers
      ~digest:Fun.id
      ( (Plain.contestant, sum_in_turn),
        (Weft_pool.array, fun path -> sum (of_file path))
        :: (Weft_pool.mapped, fun path -> sum (mapped path))
        :: if_there Command.awk sum_by_awk );
    Same_result.benchmark ~group:"data" ~name:"sort_lines" ~doc:"the lines of a file, sorted"
      ~size_doc:of_lines ~size:1_000_000 ~input:numbers ~digest:Same_result.strings
      ( (Plain.contestant, sorted_in_turn),
        (Weft_pool.mapped, sorted) :: if_there Command.sort sorted_by_program );
  ]
