(* weft-mpi under mpirun, with 1 to 4 ranks: what rank 0 prints is what one process prints without mpirun. The checks
   themselves are in the subject, on every rank. *)

module Child = Testing.Child
module Effort = Testing.Effort

let case = Testing.Watchdog.case
let subject = "./subject.exe"
let without v = String.starts_with ~prefix:"WEFT_" v || v = "OCAMLRUNPARAM"
let is_open_mpi = lazy (Testing.Text.contains "Open MPI" (Child.run "mpirun" [ "--version" ]).out)

(* All ranks on this machine, more of them than processors, as root too. MPICH needs no options for that. *)
let options =
  lazy
    (if Lazy.force is_open_mpi then [ "--allow-run-as-root"; "--oversubscribe"; "--mca"; "btl"; "self,sm" ]
     else [])

(* Whether this mpirun starts programs of this MPI: it may be another one's, or not be able to. *)
let is_usable () =
  let e = Child.run "mpirun" (Lazy.force options @ [ "-n"; "2"; "./ranks.exe" ]) in
  e.code = 0 && Testing.Text.lines e.out = [ "2"; "2" ]

let mark_name = "SUBJECT_MARK"

let env ?(mark = (mark_name, "")) ?(threads = "serialized") domains =
  [ mark; ("WEFT_DOMAINS", string_of_int domains); ("WEFT_MPI_THREADS", threads); ("OCAMLRUNPARAM", "b") ]

let alone arguments = Child.run ~env:(env 1) ~without subject arguments

let mpirun ?(program = subject) ~ranks arguments =
  Lazy.force options @ [ "-n"; string_of_int ranks; program ] @ arguments

let on ?program ?mark ?threads ~ranks ~domains arguments =
  Child.run ~env:(env ?mark ?threads domains) ~without "mpirun" (mpirun ?program ~ranks arguments)

let show what (e : Child.ended) = Printf.printf "%s: exit code %d\n%s%s\n" what e.code e.out e.err

let succeeds what (e : Child.ended) =
  if e.code <> 0 then show what e;
  Alcotest.(check int) (what ^ ": exit code") 0 e.code

let numbers = Effort.some ~quick:[ (1, 2); (2, 1); (3, 2); (4, 1) ]
    (List.concat_map (fun ranks -> [ (ranks, 1); (ranks, 2) ]) [ 1; 2; 3; 4 ] @ [ (2, 8) ])
[@@ocamlformat "disable"]

let few = Effort.some ~quick:[ (2, 1) ] [ (1, 1); (2, 1); (3, 2); (4, 1) ]
let messages = string_of_int (Effort.count ~quick:10_000 ~usual:50_000 ~long:1_000_000)

let same_as_alone ?threads ?(numbers = numbers) names () =
  let expected = alone names in
  succeeds "alone" expected;
  let check (ranks, domains) =
    let what = Printf.sprintf "%d ranks, %d domains" ranks domains in
    let e = on ?threads ~ranks ~domains names in
    succeeds what e;
    Alcotest.(check (list string)) what (Testing.Text.lines expected.out) (Testing.Text.lines e.out)
  in
  List.iter check numbers

(* What the example prints without mpirun is in [NAME.output]. *)
let examples = "../../examples/cluster"

let example (name, arguments) =
  let file = Filename.concat examples name in
  let check (ranks, domains) =
    let what = Printf.sprintf "%s: %d ranks, %d domains" name ranks domains in
    let e = on ~program:(file ^ ".exe") ~ranks ~domains arguments in
    succeeds what e;
    Alcotest.(check string) what (Testing.Text.read (file ^ ".output")) e.out
  in
  case name (fun () -> List.iter check numbers)

let fewer_keys_than_ranks () =
  let program = Filename.concat examples "sort.exe" in
  let expected = Child.run ~env:(env 1) ~without program [ "2" ] in
  succeeds "alone" expected;
  let e = on ~program ~ranks:4 ~domains:1 [ "2" ] in
  succeeds "4 ranks" e;
  Alcotest.(check string) "4 ranks" expected.out e.out

(* With a srun that prints what it is given. *)
let batch_file () =
  Testing.Folder.within "weft srun" @@ fun folder ->
  let srun = Filename.concat folder "srun" in
  Out_channel.with_open_bin srun (fun c -> output_string c "#!/bin/sh\necho $WEFT_DOMAINS domains: $*\n");
  Unix.chmod srun 0o755;
  let path = folder ^ ":" ^ Option.value (Sys.getenv_opt "PATH") ~default:"/usr/bin:/bin" in
  let env = [ ("PATH", path); ("SLURM_CPUS_PER_TASK", "3") ] in
  let without v = v = "PATH" || without v in
  let e = Child.run ~env ~without "bash" [ Filename.concat examples "heat.sbatch" ] in
  succeeds "heat.sbatch" e;
  Alcotest.(check string) "srun" "3 domains: --mpi=pmix --cpus-per-task=3 --cpu-bind=cores ./heat.exe\n" e.out

(* Whether any process has this in its environment. [false] where there is no /proc to see it in. *)
let some_has text =
  let has entry =
    match Testing.Text.read (Printf.sprintf "/proc/%s/environ" entry) with
    | environment -> Testing.Text.contains text environment
    | exception Sys_error _ -> false
  in
  let entries = try Sys.readdir "/proc" with Sys_error _ -> [||] in
  Array.exists (fun entry -> int_of_string_opt entry <> None && has entry) entries

let marks = ref 0
let times = ref []

(* The job ends by exit code 2 (by any but 0, if [any_code]), with these texts on its output, and no process of it is
   left. A long run does it twenty times, and prints at the end how long that took. *)
let ends ?(any_code = false) name said () =
  let once ranks =
    let what = Printf.sprintf "%s, %d ranks" name ranks in
    incr marks;
    let mark = Printf.sprintf "%d.%d." (Unix.getpid ()) !marks in
    let start = Unix.gettimeofday () in
    let e = on ~mark:(mark_name, mark) ~ranks ~domains:2 [ name ] in
    let seconds = Unix.gettimeofday () -. start in
    (* mpirun breaks its own lines anywhere. *)
    let output = String.map (function '\n' -> ' ' | c -> c) (e.err ^ e.out) in
    let is_said text = Testing.Text.contains text output in
    if e.code = 0 || not (List.for_all is_said (said ranks)) then show what e;
    if any_code then Alcotest.(check bool) (what ^ ": fails") true (e.code <> 0)
    else Alcotest.(check int) (what ^ ": exit code") 2 e.code;
    List.iter (fun text -> Alcotest.(check bool) (what ^ ": says " ^ text) true (is_said text)) (said ranks);
    Testing.Watchdog.until (what ^ ": no process is left") (fun () -> not (some_has (mark_name ^ "=" ^ mark)));
    seconds
  in
  let check ranks =
    let taken = List.init (Effort.count ~quick:1 ~usual:1 ~long:20) (fun _ -> once ranks) in
    times := (name, ranks, List.fold_left Float.max 0. taken) :: !times
  in
  List.iter check [ 2; 4 ]

(* What is printed in a case is not seen. *)
let print_times () =
  if Effort.level = Long then
    List.iter
      (fun (name, ranks, most) ->
        Printf.printf "%s, %d ranks: at most %.1f s from the start of mpirun to its end\n%!" name ranks most)
      (List.rev !times)

(* A file that differs in its last byte. *)
let other_program () =
  Child.with_temp_file @@ fun copy ->
  let program = In_channel.with_open_bin subject In_channel.input_all in
  Out_channel.with_open_bin copy (fun out -> output_string out (program ^ "x"));
  Unix.chmod copy 0o755;
  (* Not mpirun's own way to start several programs: Open MPI 5.0.7 crashes in it, on some machines. *)
  let choose =
    {|if [ "${OMPI_COMM_WORLD_RANK-$PMI_RANK}" = 1 ]; then exec "$1" twice; else exec "$0" twice; fi|}
  in
  let arguments = Lazy.force options @ [ "-n"; "2"; "sh"; "-c"; choose; subject; copy ] in
  let e = Child.run ~env:(env 1) ~without "mpirun" arguments in
  let said = Testing.Text.contains "rank 1 runs another program than rank 0" (e.err ^ e.out) in
  if not said then show "another program" e;
  Alcotest.(check bool) "says why" true said;
  Alcotest.(check bool) "fails" true (e.code <> 0)

(* A rank at its end says that it waits, and waits. *)
let waits_at_its_end () =
  Child.with_temp_file @@ fun file ->
  Sys.remove file;
  let arguments = [ "-c"; "exec mpirun \"$@\" 2>&1"; "sh" ] @ mpirun ~ranks:2 [ "one-goes-on"; file ] in
  let child = Child.start ~env:(env 1) ~without "sh" arguments in
  Child.wait_for_output child "rank 1 has come to its end, and waits";
  Out_channel.with_open_bin file ignore;
  succeeds "one goes on" (Child.finish child)

let interrupted () =
  Child.with_temp_file @@ fun file ->
  Sys.remove file;
  succeeds "interrupted" (on ~ranks:2 ~domains:1 [ "interrupted"; file ]);
  succeeds "interrupted often" (on ~ranks:2 ~domains:1 [ "interrupted-often" ])

let fails_alone () =
  let e = alone [ "last-fails" ] in
  Alcotest.(check int) "exit code" 2 e.code;
  Alcotest.(check bool) "the exception itself" true (Testing.Text.contains "Failure(\"the last\")" e.err)

let () =
  if not (Testing.Watchdog.guard "mpirun" is_usable) then begin
    print_endline "left out: mpirun does not start two ranks of the MPI that mpicc stands for";
    exit 0
  end;
  at_exit print_times;
  Alcotest.run "weft-mpi"
    [
      ( "on any number of ranks",
        [
          case "binding" (same_as_alone [ "binding" ]);
          case "loops" (same_as_alone [ "loops" ]);
          case "distributed arrays" (same_as_alone [ "arrays" ]);
          case "failures" (same_as_alone [ "failures" ]);
          case "cancellation" (same_as_alone [ "cancellation" ]);
          case "receives" (same_as_alone [ "receives" ]);
          case "interrupted outside of pools" interrupted;
          case "run again" (same_as_alone [ "twice" ]);
          case "traffic" (same_as_alone ~numbers:few [ "traffic" ]);
          case "volume" (same_as_alone ~numbers:few [ "volume"; messages ]);
          case "by one thread that calls MPI"
            (same_as_alone ~numbers:few ~threads:"funneled"
               [ "binding"; "loops"; "arrays"; "failures"; "cancellation"; "receives" ]);
        ] );
      ( "examples on any number of ranks",
        List.map example
          [ ("heat", []); ("pi", []); ("sort", []); ("words", [ Filename.concat examples "texts" ]) ]
        @ [ case "a sort of fewer keys than ranks" fewer_keys_than_ranks; case "a batch file" batch_file ] );
      ( "the end of a job",
        [
          case "an exception on one rank"
            (ends "last-fails" (fun ranks ->
                 [ Printf.sprintf "rank %d: Failure(\"the last\")" (ranks - 1); "Raised at Stdlib.failwith" ]));
          case "exit on one rank" (ends "first-exits" (fun _ -> [ "rank 0 calls exit" ]));
          case "an exception between two runs"
            (ends "fails-between" (fun _ -> [ "rank 1: Failure(\"between\")"; "Raised at Stdlib.failwith" ]));
          case "exit between two runs"
            (ends "exits-between" (fun _ -> [ "rank 1 has come to its end, but rank" ]));
          case "a rank that is killed"
            (ends ~any_code:true "last-is-killed" (fun ranks ->
                 "signal 9"
                 :: (if Lazy.force is_open_mpi then [ Printf.sprintf "process rank %d" (ranks - 1) ] else [])));
          case "another program on one rank" other_program;
          case "a rank that goes on" waits_at_its_end;
          case "an exception without mpirun" fails_alone;
        ] );
    ]
