(* What the system reports of a process, in made-up files. *)

open Weft_insight_trace

let write dir path text =
  let rec make dir =
    if not (Sys.file_exists dir) then begin
      make (Filename.dirname dir);
      Sys.mkdir dir 0o700
    end
  in
  let path = Filename.concat dir path in
  make (Filename.dirname path);
  Out_channel.with_open_bin path (fun channel -> output_string channel text)

let told t =
  match Processor_time.read t with
  | None -> Alcotest.fail "nothing is told"
  | Some { sum = { cpu; waiting }; processors } -> (cpu, waiting, processors)

let check = Alcotest.(check (triple int int (option int)))

let test_of_its_own_files () =
  Tool.in_folder @@ fun root ->
  let t = Processor_time.create ~root ~pid:7 () in
  Alcotest.(check bool) "nothing there" true (Processor_time.read t = None);
  write root "proc/7/task/7/schedstat" "1000 200 3\n";
  check "times only" (1000, 200, None) (told t);
  write root "proc/self/status" "Cpus_allowed_list:\t0-7\n";
  write root "proc/7/status" "Name:\tmade up\nCpus_allowed:\t5\nCpus_allowed_list:\t0,2\n";
  write root "proc/7/task/8/schedstat" "10 2 1\n";
  check "those of the process, not one's own" (1010, 202, Some 2) (told t);
  Sys.remove (Filename.concat root "proc/7/task/8/schedstat");
  write root "proc/7/status" "Cpus_allowed_list:\t3\n";
  check "a thread that has ended counts, and processors are those of now" (1010, 202, Some 1) (told t);
  Sys.remove (Filename.concat root "proc/7/status");
  check "a process that is about to go" (1010, 202, Some 1) (told t);
  Sys.remove (Filename.concat root "proc/7/task/7/schedstat");
  Sys.rmdir (Filename.concat root "proc/7/task/7");
  Sys.rmdir (Filename.concat root "proc/7/task/8");
  Sys.rmdir (Filename.concat root "proc/7/task");
  Alcotest.(check bool) "a process that has gone" true (Processor_time.read t = None)

let tests = [ Testing.Watchdog.case "times of all threads, and processors" test_of_its_own_files ]
