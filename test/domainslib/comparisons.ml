open Weft_bench_compat
open Weft_bench_harness

let script path body =
  Out_channel.with_open_bin path (fun c -> Out_channel.output_string c ("#!/bin/sh\n" ^ body ^ "\n"));
  Unix.chmod path 0o755

(* A folder laid out as by dune, with these scripts for the two libraries. *)
let with_scripts ?on_domainslib on_weft f =
  Testing.Folder.within "compat" @@ fun folder ->
  let make name = Unix.mkdir (Filename.concat folder name) 0o755 in
  List.iter make [ "bin"; "bench"; "bench/compat"; "bench/compat/on_weft"; "bench/compat/on_domainslib" ];
  script (Filename.concat folder "bench/compat/on_weft/main.exe") on_weft;
  Option.iter
    (script (Filename.concat folder "bench/compat/on_domainslib/compat-domainslib.exe"))
    on_domainslib;
  let find library =
    Option.map
      (fun programs -> (library, programs))
      (Comparing.locate ~program:(Filename.concat folder "bin/main.exe") library)
  in
  f (List.filter_map find [ Comparing.Domainslib; Weft_domainslib ])

let entry domains library = { Comparing.library; measurable = { program = "p"; size = 7 }; domains }

let run ?(limit = 3600.) ?(runs = 1) ?(domains = [ 1 ]) programs =
  let entries = List.concat_map (fun n -> List.map (fun (library, _) -> entry n library) programs) domains in
  let run () = Comparing.run ~programs ~runs ~limit ~progress:(fun ~round:_ _ -> ()) entries in
  match Weft_bench_elastic.Processes.guarded run with
  | Ok result -> result
  | Error _ -> Alcotest.fail "interrupted"

let error = function Ok _ -> Alcotest.fail "no error" | Error message -> message

let both_are_run_and_compared () =
  with_scripts "echo $1 $2 $4" ~on_domainslib:"echo $1 $2 $4" @@ fun programs ->
  match run ~runs:3 ~domains:[ 1; 2 ] programs with
  | Error message -> Alcotest.fail message
  | Ok rows ->
      let summary (row : Row.t) = (row.method_, row.domains, List.length row.seconds) in
      Alcotest.(check (list (triple string int int)))
        "rows"
        [ ("domainslib", 1, 3); ("weft-domainslib", 1, 3); ("domainslib", 2, 3); ("weft-domainslib", 2, 3) ]
        (List.map summary rows);
      let titles (row : Row.t) = List.map (fun (f : Row.figure) -> f.title) row.figures in
      Alcotest.(check (list (list string)))
        "figures"
        [ []; [ "x domainslib" ]; []; [ "x domainslib" ] ]
        (List.map titles rows);
      (* The verdict if these had been the ratios. *)
      let verdict_of ratios =
        let ratios = ref ratios in
        let with_ratio (row : Row.t) =
          let figure (f : Row.figure) =
            let middle = List.hd !ratios in
            ratios := List.tl !ratios;
            { f with middle }
          in
          { row with figures = List.map figure row.figures }
        in
        Comparing.verdict (List.map with_ratio rows)
      in
      let from_to = "ratio of weft-domainslib's time to domainslib's: from " in
      Alcotest.(check string)
        "none is slower"
        (from_to ^ "0.50x (p, domains: 2) to 1.05x (p, domains: 1); none slower than 1.05x\n")
        (verdict_of [ 1.05; 0.5 ]);
      Alcotest.(check string)
        "one is"
        (from_to
       ^ "1.00x (p, domains: 1) to 1.06x (p, domains: 2); slower than 1.05x: 1.06x (p, domains: 2)\n")
        (verdict_of [ 1.; 1.06 ])

let without_domainslib_nothing_is_compared () =
  with_scripts "echo 1" @@ fun programs ->
  Alcotest.(check int) "executables" 1 (List.length programs);
  match run programs with
  | Error message -> Alcotest.fail message
  | Ok rows -> Alcotest.(check string) "verdict" "" (Comparing.verdict rows)

let different_results_are_an_error () =
  let message = with_scripts "echo 1" ~on_domainslib:"echo 2" (fun programs -> error (run programs)) in
  if not (String.starts_with ~prefix:"wrong result: p 7, " message) then Alcotest.fail message;
  let message = with_scripts "echo $3" (fun programs -> error (run ~domains:[ 1; 2 ] programs)) in
  if not (String.starts_with ~prefix:"wrong result: p 7, " message) then Alcotest.fail message

let processes_that_fail_are_an_error () =
  let message = with_scripts "exit 3" (fun programs -> error (run programs)) in
  Alcotest.(check string) "exit code" "p 7, weft-domainslib, 1 domain: exit code 3" message;
  let message = with_scripts "exec sleep 3600" (fun programs -> error (run ~limit:0.3 programs)) in
  Alcotest.(check string) "too long" "p 7, weft-domainslib, 1 domain: not over after 0.3 seconds" message

let programs_without_a_size_are_not_measured () =
  with_scripts "printf 'a 5\\nb -\\nc 70\\n'" @@ fun programs ->
  match Comparing.list ~limit:3600. (List.assoc Comparing.Weft_domainslib programs) with
  | Ok measurables ->
      Alcotest.(check (list (pair string int)))
        "programs"
        [ ("a", 5); ("c", 70) ]
        (List.map (fun (m : Comparing.measurable) -> (m.program, m.size)) measurables)
  | Error message -> Alcotest.fail message

let tests =
  [
    Testing.Watchdog.case "both libraries are run and compared" both_are_run_and_compared;
    Testing.Watchdog.case "without domainslib nothing is compared" without_domainslib_nothing_is_compared;
    Testing.Watchdog.case "different results are an error" different_results_are_an_error;
    Testing.Watchdog.case "processes that fail are an error" processes_that_fail_are_an_error;
    Testing.Watchdog.case "programs without a size are not measured" programs_without_a_size_are_not_measured;
  ]
