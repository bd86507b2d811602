(* The results of Machine.processors_now for files that change between its calls; then for this system's
   own: its taskset, and a control group if one may be made. *)

open Trees
module Machine = Weft_platform.Machine

let case = Testing.Watchdog.case

let check ~root what (count, share) =
  let now = Machine.processors_now ~root () in
  Alcotest.(check (pair int (float 1e-9))) what (count, share) (now.count, now.share)

(* [with_eight files f]: with [files], and eight processors that the process may use. *)
let with_eight files f = with_tree (allowed "0-7" :: files) f
let delete root path = Testing.Folder.remove (Filename.concat root path)

(* {1 Made-up trees} *)

let least () =
  with_eight (v2 []) (fun ~root -> check ~root "affinity" (8, 8.));
  let quota content expected =
    with_eight (v2 [ v2_file "/a" content ]) (fun ~root -> check ~root content expected)
  in
  quota "150000 100000\n" (2, 1.5);
  quota "200000 100000\n" (2, 2.);
  quota "1000 100000\n" (1, 0.01);
  quota "750000 100000\n" (8, 7.5);
  quota "800000 100000\n" (8, 8.);
  quota "900000 100000\n" (8, 8.);
  quota "max 100000\n" (8, 8.)

let changes () =
  with_eight (v2 [ v2_file "/a/b/c" "150000 100000\n"; v2_file "/a" "max 100000\n" ]) @@ fun ~root ->
  let after what file expected =
    write root file;
    check ~root what expected
  in
  check ~root "own group" (2, 1.5);
  after "raised" (v2_file "/a/b/c" "350000 100000\n") (4, 3.5);
  after "an ancestor's is less" (v2_file "/a" "50000 100000\n") (1, 0.5);
  after "an ancestor's is no more" (v2_file "/a" "max 100000\n") (4, 3.5);
  after "none" (v2_file "/a/b/c" "max 100000\n") (8, 8.);
  after "affinity" (allowed "0,5-6\n") (3, 3.);
  after "affinity, widened" (allowed "0-15\n") (16, 16.)

let changes_of_version_1 () =
  with_eight (v1 (v1_files "/x/y" "-1\n" @ v1_files "/x" "400000\n")) @@ fun ~root ->
  let after what files expected =
    List.iter (write root) files;
    check ~root what expected
  in
  check ~root "ancestor" (4, 4.);
  after "own" (v1_files "/x/y" "250000\n") (3, 2.5);
  after "period" (v1_files "/x/y" ~period:"50000\n" "25000\n") (1, 0.5);
  after "none" (v1_files "/x/y" "-1\n" @ v1_files "/x" "-1\n") (8, 8.)

(* Systems do this when a part of the tree gets its first quota. *)
let appears () =
  with_eight (v2 []) @@ fun ~root ->
  check ~root "no file" (8, 8.);
  write root (v2_file "/a/b" "300000 100000\n");
  check ~root "an ancestor has one now" (3, 3.);
  delete root "sys/fs/cgroup/a/b/cpu.max";
  check ~root "and now none" (8, 8.)

let moves () =
  with_eight (v2 [ v2_file "/a/b/c" "200000 100000\n"; v2_file "/d" "300000 100000\n" ]) @@ fun ~root ->
  check ~root "in the first group" (2, 2.);
  write root (group "0::/d\n");
  check ~root "in another" (3, 3.);
  write root (v2_file "/a/b/c" "100000 100000\n");
  check ~root "which is what counts" (3, 3.);
  write root (v2_file "/d" "400000 100000\n");
  check ~root "and is looked at" (4, 4.)

let mounted_elsewhere () =
  with_eight (v2 [ v2_file "/a" "200000 100000\n" ]) @@ fun ~root ->
  check ~root "in the first place" (2, 2.);
  delete root "sys/fs/cgroup/a/cpu.max";
  write root (mountinfo [ "30 23 0:26 / /elsewhere rw - cgroup2 cgroup2 rw" ]);
  write root ("elsewhere/a/b/cpu.max", "300000 100000\n");
  check ~root "in the second" (3, 3.)

(* The table of mounts is long on some machines. *)
let walks_once () =
  with_eight (v2 [ v2_file "/a" "200000 100000\n" ]) @@ fun ~root ->
  check ~root "first" (2, 2.);
  write root (mountinfo []);
  check ~root "same group, same files" (2, 2.);
  write root (v2_file "/a" "300000 100000\n");
  check ~root "which are looked at" (3, 3.)

let failures () =
  with_eight (v2 [ v2_file "/a/b/c" "200000 100000\n"; v2_file "/a" "500000 100000\n" ]) @@ fun ~root ->
  let still what files (count, share) =
    List.iter (write root) files;
    check ~root what (count, share)
  in
  check ~root "first" (2, 2.);
  List.iter
    (fun content -> still (String.escaped content) [ v2_file "/a/b/c" content ] (2, 2.))
    [ ""; "x"; "1 2 3"; "0 100000\n"; "-1 100000\n"; "\255"; "99999999999999999999 100000\n" ];
  still "the others count" [ v2_file "/a" "150000 100000\n" ] (2, 1.5);
  delete root "sys/fs/cgroup/a/cpu.max";
  still "a directory" [ ("sys/fs/cgroup/a/cpu.max/x", "") ] (2, 1.5);
  delete root "sys/fs/cgroup/a/cpu.max/x";
  still "an empty one" [] (2, 1.5);
  delete root "proc/self/cgroup";
  still "no table of groups" [ v2_file "/a/b/c" "50000 100000\n" ] (2, 1.5);
  delete root "proc/self/status";
  still "no affinity" [] (2, 1.5);
  delete root "proc/self/mountinfo";
  still "no table of mounts" [ group "0::/d\n"; v2_file "/d" "300000 100000\n" ] (2, 1.5);
  still "all is told again" [ mountinfo [ v2_mount ]; allowed "0-1" ] (2, 2.);
  still "and counts" [ v2_file "/d" "30000 100000\n" ] (1, 0.3);
  still "affinity alone" [ v2_file "/d" "max 100000\n"; allowed "0-4" ] (5, 5.);
  delete root "proc/self/status";
  still "no affinity, no quota" [] (5, 5.)

let never_known () =
  with_tree [] @@ fun ~root ->
  let all = Domain.recommended_domain_count () in
  check ~root "nothing" (all, float_of_int all);
  write root (allowed "garbage");
  check ~root "garbage" (all, float_of_int all);
  List.iter (write root) (v2 [ v2_file "/a" "many processors\n" ]);
  check ~root "garbage in a quota" (all, float_of_int all);
  check ~root:"no/such/directory" "no such root" (all, float_of_int all)

let roots_apart () =
  with_eight (v2 [ v2_file "/a" "200000 100000\n" ]) @@ fun ~root:first ->
  with_eight (v2 [ v2_file "/a" "x" ]) @@ fun ~root:second ->
  check ~root:first "first" (2, 2.);
  check ~root:second "nothing of the first" (8, 8.);
  check ~root:first "first again" (2, 2.)

let agrees () =
  let recommended = 1_000 in
  let same what files =
    with_tree files @@ fun ~root ->
    Alcotest.(check int)
      what
      (Machine.default_domains ~root ~recommended ())
      (Machine.processors_now ~root ()).count
  in
  List.iter
    (fun list ->
      List.iter
        (fun quota ->
          same (list ^ ", " ^ quota) (allowed list :: v2 [ v2_file "/a/b" (quota ^ " 100000\n") ]);
          same (list ^ ", 1, " ^ quota) (allowed list :: v1 (v1_files "/x" (quota ^ "\n"))))
        [ "max"; "1"; "99999"; "100000"; "100001"; "350000"; "800000"; "100000000000000"; "-1"; "x" ])
    [ "0"; "0-3"; "1,3,5"; "0-255" ]

(* {1 This system} *)

let here () =
  let now = Machine.processors_now () in
  Alcotest.(check bool) "sensible" true (1 <= now.count && 0. < now.share && now.share <= float now.count);
  Alcotest.(check bool) "the default's" true (Machine.default_domains () <= now.count)

let taskset options list =
  Sys.command (Printf.sprintf "taskset %s '%s' %d >/dev/null 2>&1" options list (Unix.getpid ())) = 0

let affinity () =
  let status = In_channel.with_open_bin "/proc/self/status" In_channel.input_all in
  let value line =
    match String.split_on_char '\t' line with [ "Cpus_allowed_list:"; list ] -> Some list | _ -> None
  in
  let list = Option.get (List.find_map value (String.split_on_char '\n' status)) in
  let first = List.hd (String.split_on_char '-' (List.hd (String.split_on_char ',' list))) in
  let before = (Machine.processors_now ()).count in
  let stop = Atomic.make false in
  let other =
    Domain.spawn (fun () ->
        while not (Atomic.get stop) do
          Unix.sleepf 0.01
        done)
  in
  let finally () =
    Atomic.set stop true;
    Domain.join other;
    ignore (taskset "-acp" list)
  in
  Fun.protect ~finally @@ fun () ->
  let now () = (Machine.processors_now ()).count in
  if not (taskset "-cp" first) then Alcotest.skip ();
  Alcotest.(check int) "one thread is bound" before (now ());
  ignore (taskset "-acp" first);
  Alcotest.(check int) "all are bound" 1 (now ());
  ignore (taskset "-acp" list);
  Alcotest.(check int) "none is" before (now ())

(* {1 A control group of this system} *)

let put path text =
  match Out_channel.with_open_gen [ Open_wronly ] 0 path (fun c -> Out_channel.output_string c text) with
  | () -> true
  | exception Sys_error _ -> false

(* Limits the group to [percent] of one processor. *)
let limit group percent =
  if Sys.file_exists (group ^ "/cpu.max") then
    put (group ^ "/cpu.max") (Printf.sprintf "%d 100000" (percent * 1000))
  else
    put (group ^ "/cpu.cfs_period_us") "100000"
    && put (group ^ "/cpu.cfs_quota_us") (string_of_int (percent * 1000))

(* Runs in a process of its own, which enters [group]. *)
let subject group =
  let share () = (Machine.processors_now ()).share in
  let before = share () in
  let expect what percent =
    let expected = Float.min before (float percent /. 100.) and found = share () in
    if Float.abs (found -. expected) > 1e-9 then begin
      Printf.eprintf "%s: %g instead of %g\n%!" what found expected;
      exit 1
    end
  in
  if not (limit group 60 && put (group ^ "/cgroup.procs") (string_of_int (Unix.getpid ()))) then exit 77;
  expect "moved into the group" 60;
  ignore (limit group 40);
  expect "its limit has changed" 40;
  ignore (limit group 150);
  expect "once more" 150;
  exit 0

let with_group f =
  let name = Printf.sprintf "weft-test-%d" (Unix.getpid ()) in
  let make hierarchy =
    let group = Filename.concat hierarchy name in
    match Sys.mkdir group 0o755 with () -> Some group | exception Sys_error _ -> None
  in
  let hierarchies = [ "/sys/fs/cgroup/cpu"; "/sys/fs/cgroup/cpu,cpuacct"; "/sys/fs/cgroup" ] in
  match List.find_map make (List.filter Sys.file_exists hierarchies) with
  | None -> Alcotest.skip ()
  | Some group ->
      (* A group cannot be removed before its last process has ended completely. *)
      let removed () = match Sys.rmdir group with () -> true | exception Sys_error _ -> false in
      Fun.protect
        (fun () -> f group)
        ~finally:(fun () -> Testing.Watchdog.until "the group is removed" removed)

let real_group () =
  with_group @@ fun group ->
  match Testing.Child.run Sys.executable_name [ "in-group"; group ] with
  | { code = 77; _ } -> Alcotest.skip ()
  | { code; err; _ } -> Alcotest.(check (pair int string)) "follows the group's limit" (0, "") (code, err)

let () =
  (match Sys.argv with [| _; "in-group"; group |] -> subject group | _ -> ());
  Alcotest.run "processors now"
    [
      ( "trees",
        [
          case "the least of affinity and quota, rounded up and as it is" least;
          case "changes of quotas and affinity are seen" changes;
          case "changes of quotas are seen, version 1" changes_of_version_1;
          case "a quota where there was none is seen" appears;
          case "the quota of another group is found after a move" moves;
          case "files that are gone are looked for again" mounted_elsewhere;
          case "the table of mounts is read once if no file is gone" walks_once;
          case "what cannot be told is as it was" failures;
          case "what was never known is no limit" never_known;
          case "roots have nothing to do with each other" roots_apart;
          case "the count is that of the default number of domains" agrees;
        ] );
      ( "system",
        [
          case "this system tells something sensible" here;
          case "what any thread may use counts" affinity;
          case "a control group's limit is followed" real_group;
        ] );
    ]
