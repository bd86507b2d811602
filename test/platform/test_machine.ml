(* Every test writes its files below a temporary directory and checks what Machine concludes from them. *)

open Trees
module Machine = Weft_platform.Machine

let text = Alcotest.(option string)
let count = Alcotest.(option int)
let case name promise = Testing.Watchdog.case name promise

(* {1 CPU quota} *)

let quota = Alcotest.(option (pair (float 1e-9) string))

let check_quota what expected files =
  with_tree files (fun ~root ->
      let found =
        Option.map (fun { Machine.processors; file } -> (processors, file)) (Machine.cpu_quota ~root ())
      in
      Alcotest.check quota what expected found)

let v2_own_group () =
  check_quota "own" (Some (1.5, "/sys/fs/cgroup/a/b/c/cpu.max")) (v2 [ v2_file "/a/b/c" "150000 100000\n" ])

let v2_ancestor_only () =
  check_quota "ancestor"
    (Some (0.5, "/sys/fs/cgroup/a/cpu.max"))
    (v2 [ v2_file "/a/b/c" "max 100000\n"; v2_file "/a/b" "max 100000\n"; v2_file "/a" "50000 100000\n" ])

let v2_at_mount_point () =
  check_quota "mount point" (Some (3., "/sys/fs/cgroup/cpu.max")) (v2 [ v2_file "" "300000 100000\n" ])

let v2_smallest_wins () =
  check_quota "middle"
    (Some (2., "/sys/fs/cgroup/a/b/cpu.max"))
    (v2
       [
         v2_file "/a/b/c" "400000 100000\n";
         v2_file "/a/b" "20000 10000\n";
         v2_file "/a" "300000 100000\n";
         v2_file "/other" "1000 100000\n";
       ])

let v2_equal_nearest () =
  check_quota "nearest"
    (Some (2., "/sys/fs/cgroup/a/b/cpu.max"))
    (v2 [ v2_file "/a/b" "200000 100000\n"; v2_file "/a" "200000 100000\n" ])

let v2_max () = check_quota "none" None (v2 [ v2_file "/a/b/c" "max 100000\n"; v2_file "/a" "max 100000\n" ])

let v1_own_group () =
  check_quota "own"
    (Some (2.5, "/sys/fs/cgroup/cpu,cpuacct/x/y/cpu.cfs_quota_us"))
    (v1 (v1_files "/x/y" "250000\n"))

let v1_ancestor_only () =
  check_quota "ancestor"
    (Some (1., "/sys/fs/cgroup/cpu,cpuacct/x/cpu.cfs_quota_us"))
    (v1 (v1_files "/x/y" "-1\n" @ v1_files "/x" ~period:"50000\n" "50000\n" @ v1_files "" "-1\n"))

let v1_none () = check_quota "none" None (v1 (v1_files "/x/y" "-1\n" @ v1_files "" "-1\n"))

(* The controllers' names must match whole: neither "cpuset" nor "cpuacct" alone is "cpu". *)
let v1_other_controllers () =
  let files = v1_files "/x/y" "100000\n" @ v1_files "" "100000\n" in
  check_quota "groups" None (group "3:cpuset:/x/y\n2:cpuacct:/x/y\n" :: mountinfo [ v1_mount ] :: files);
  let other_mount = "33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpuset,cpuacct" in
  check_quota "mounts" None (group "3:cpu:/x/y\n" :: mountinfo [ other_mount ] :: files)

let both_versions v1_quota v2_quota =
  (group "4:cpu,cpuacct:/x/y\n0::/a/b/c\n" :: mountinfo [ v1_mount; v2_mount ] :: v1_files "/x/y" v1_quota)
  @ [ v2_file "/a/b" v2_quota ]

let hybrid () =
  check_quota "version 1 is smaller"
    (Some (1., "/sys/fs/cgroup/cpu,cpuacct/x/y/cpu.cfs_quota_us"))
    (both_versions "100000\n" "200000 100000\n");
  check_quota "version 2 is smaller"
    (Some (0.5, "/sys/fs/cgroup/a/b/cpu.max"))
    (both_versions "100000\n" "50000 100000\n")

let inside ~top ~path files = group ("0::" ^ path ^ "\n") :: mountinfo [ top ] :: files

let mount_of_own_group () =
  let top = "30 23 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw" in
  check_quota "own group mounted"
    (Some (2., "/sys/fs/cgroup/cpu.max"))
    (inside ~top ~path:"/docker/abc" [ v2_file "" "200000 100000\n"; v2_file "/docker/abc" "1000 100000\n" ]);
  check_quota "a group below what is mounted"
    (Some (1., "/sys/fs/cgroup/init/cpu.max"))
    (inside ~top ~path:"/docker/abc/init" [ v2_file "" "200000 100000\n"; v2_file "/init" "100000 100000\n" ]);
  check_quota "a path relative to what is mounted"
    (Some (1., "/sys/fs/cgroup/init/cpu.max"))
    (inside ~top ~path:"/init" [ v2_file "" "200000 100000\n"; v2_file "/init" "100000 100000\n" ])

(* A sibling is not below the mounted group, though its name begins with that group's name. *)
let mount_of_sibling () =
  let sibling = "30 23 0:26 /docker/ab /mnt/sibling ro - cgroup2 cgroup rw" in
  check_quota "sibling ignored"
    (Some (2., "/sys/fs/cgroup/docker/abc/cpu.max"))
    (group "0::/docker/abc\n"
    :: mountinfo [ sibling; v2_mount ]
    :: [ v2_file "/docker/abc" "200000 100000\n"; ("mnt/sibling/cpu.max", "1000 100000\n") ])

let above_namespace () =
  let top = "30 23 0:26 /../.. /sys/fs/cgroup rw - cgroup2 cgroup rw" in
  check_quota "an ancestor of the namespace's root is mounted"
    (Some (2., "/sys/fs/cgroup/cpu.max"))
    (inside ~top ~path:"/x" [ v2_file "" "200000 100000\n"; v2_file "/x" "1000 100000\n" ]);
  check_quota "the process is outside of what is mounted" None
    (group "0::/../other\n" :: mountinfo [ v2_mount ]
    :: [ v2_file "" "200000 100000\n"; v2_file "/other" "1000 100000\n" ]);
  check_quota "both above the namespace's root"
    (Some (1., "/sys/fs/cgroup/x/cpu.max"))
    (inside ~top:"30 23 0:26 /.. /sys/fs/cgroup rw - cgroup2 cgroup rw" ~path:"/../x"
       [ v2_file "/x" "100000 100000\n" ])

let unusual_names () =
  check_quota "blank in the mount point, colon in the group"
    (Some (2., "/mnt/c groups/a:b/cpu.max"))
    [
      group "0::/a:b\n";
      mountinfo [ {|30 23 0:26 / /mnt/c\040groups rw shared:1 master:2 - cgroup2 none rw|} ];
      ("mnt/c groups/a:b/cpu.max", "200000 100000\n");
    ]

let long_table () =
  let others = List.concat (List.init 300 (fun _ -> other_mounts)) in
  check_quota "the last of many mounts"
    (Some (2., "/sys/fs/cgroup/a/cpu.max"))
    [ group "0::/a\n"; mountinfo (others @ [ v2_mount ]); v2_file "/a" "200000 100000\n" ]

let garbage_quota () =
  let none what content = check_quota what None (v2 [ v2_file "/a/b/c" content ]) in
  none "empty" "";
  none "cut short" "150000";
  none "words" "many processors";
  none "negative" "-5 100000\n";
  none "zero quota" "0 100000\n";
  none "zero period" "100000 0\n";
  none "hexadecimal" "0x10 100000\n";
  none "far too large" "99999999999999999999999999 100000\n";
  none "binary" "\000\255\n\n\000";
  check_quota "ancestor of garbage"
    (Some (2., "/sys/fs/cgroup/a/cpu.max"))
    (v2 [ v2_file "/a/b/c" "\255"; v2_file "/a" "200000 100000\n" ]);
  check_quota "version 1 without period" None
    (v1 [ ("sys/fs/cgroup/cpu,cpuacct/x/y/cpu.cfs_quota_us", "100000\n") ]);
  check_quota "a directory instead of a file" None (v2 [ v2_file "/a/b/c/cpu.max" "100000 100000\n" ])

let garbage_tables () =
  let file = v2_file "/a/b/c" "100000 100000\n" in
  let garbage = [ ""; "\n\n"; ":"; "::::"; "0:"; "1 2 3 4 5\n"; "- - -\n"; "\255\000 - cgroup2\n" ] in
  List.iter (fun content -> check_quota "groups" None [ group content; mountinfo [ v2_mount ]; file ]) garbage;
  List.iter
    (fun content -> check_quota "mounts" None [ group "0::/a/b/c\n"; mountinfo [ content ]; file ])
    garbage;
  check_quota "no tables" None [ file ];
  check_quota "no mounts" None [ group "0::/a/b/c\n"; file ];
  let endless = String.concat "/" (List.init 1_000_000 (fun _ -> "x")) in
  check_quota "an endless path" None
    [ group ("0::/" ^ endless ^ "\n"); mountinfo [ v2_mount ]; v2_file "/x" "100000 100000\n" ]

(* {1 Memory and threads} *)

let memory_and_threads () =
  let check what (memory, threads) files =
    with_tree files (fun ~root ->
        let found = Machine.limits ~root () in
        Alcotest.check count (what ^ ", memory") memory found.memory;
        Alcotest.check count (what ^ ", threads") threads found.threads)
  in
  let memory directory content = ("sys/fs/cgroup" ^ directory ^ "/memory.max", content) in
  let threads directory content = ("sys/fs/cgroup" ^ directory ^ "/pids.max", content) in
  check "own group" (Some 5_000_000, Some 7) (v2 [ memory "/a/b/c" "5000000\n"; threads "/a/b/c" "7\n" ]);
  check "the smallest, and only of ancestors" (Some 4_000_000, Some 100)
    (v2
       [
         memory "/a/b/c" "max\n";
         memory "/a" "4000000\n";
         memory "" "9000000\n";
         memory "/other" "1\n";
         threads "/a" "200\n";
         threads "" "100\n";
       ]);
  check "none" (None, None) (v2 [ memory "/a/b/c" "max\n"; threads "/a/b/c" "max\n" ]);
  check "garbage" (None, None) (v2 [ memory "/a/b/c" "-1\n"; memory "/a/b" ""; threads "/a" "1e6\n" ]);
  check "no files" (None, None) (v2 []);
  check "no tables" (None, None) [ memory "/a/b/c" "5000000\n" ];
  let mounts =
    List.map
      (fun name -> Printf.sprintf "35 31 0:29 / /sys/fs/cgroup/%s rw - cgroup cgroup rw,%s" name name)
      [ "memory"; "pids" ]
  in
  let v1 files = group "6:pids:/p\n5:memory:/m/n\n4:cpuacct,cpu:/x/y\n" :: mountinfo mounts :: files in
  let memory = "sys/fs/cgroup/memory/m/n/memory.limit_in_bytes" in
  check "version 1" (Some 7_000_000, Some 30)
    (v1 [ (memory, "7000000\n"); ("sys/fs/cgroup/pids/p/pids.max", "30\n") ]);
  check "version 1, none" (None, None) (v1 [ (memory, "9223372036854771712\n") ])

(* {1 Number of domains} *)

let check_domains what expected ?(recommended = 64) files =
  let name = function
    | Machine.Allowed -> "allowed"
    | Quota { file; _ } -> file
    | Recommended -> "recommended"
  in
  with_tree files (fun ~root ->
      let domains, limit = Machine.default_limit ~root ~recommended () in
      Alcotest.(check (pair int string)) what expected (domains, name limit);
      Alcotest.(check int) "the same number" domains (Machine.default_domains ~root ~recommended ()))

let least_of_all () =
  let file = "/sys/fs/cgroup/a/cpu.max" in
  let tree ~list ~quota = allowed list :: v2 [ v2_file "/a" (quota ^ " 100000\n") ] in
  check_domains "affinity" (3, "allowed") (tree ~list:"0-1,7" ~quota:"400000");
  check_domains "quota" (2, file) (tree ~list:"0-3" ~quota:"200000");
  check_domains "recommended" (1, "recommended") ~recommended:1 (tree ~list:"0-3" ~quota:"200000");
  check_domains "equal" (2, "allowed") ~recommended:2 (tree ~list:"0-1" ~quota:"200000")

let rounds_up () =
  let quota quota = v2 [ v2_file "/a" (quota ^ " 100000\n") ] and file = "/sys/fs/cgroup/a/cpu.max" in
  check_domains "1.5" (2, file) (quota "150000");
  check_domains "1.00001" (2, file) (quota "100001");
  check_domains "1" (1, file) (quota "100000");
  check_domains "0.01" (1, file) (quota "1000");
  check_domains "10^9" (64, "recommended") (quota "100000000000000")

let at_least_one () =
  check_domains "nothing known" (64, "recommended") [];
  check_domains "nothing recommended" (1, "recommended") ~recommended:0 [];
  let here = Machine.default_domains () in
  Alcotest.(check bool) "on this machine" true (1 <= here && here <= Domain.recommended_domain_count ())

let environment variable from_env ~most () =
  let check text expected =
    let found = from_env text in
    let readable = Option.value text ~default:"(unset)" in
    Alcotest.(check (result (option int) unit)) readable expected (Result.map_error ignore found);
    match (found, text) with
    | Error line, Some text ->
        Testing.Text.check_contains "says what is wrong" ~part:(variable ^ "=" ^ String.escaped text) line;
        Alcotest.(check bool) "one line" false (String.contains line '\n')
    | _ -> ()
  in
  check None (Ok None);
  check (Some "") (Ok None);
  List.iter
    (fun (text, count) -> check (Some text) (Ok (Some count)))
    [ ("1", 1); (string_of_int most, most); (" 8 ", 8); ("04", 4) ];
  List.iter
    (fun text -> check (Some text) (Error ()))
    [
      " ";
      "0";
      string_of_int (most + 1);
      "-1";
      "+2";
      "2.0";
      "two";
      "0x4";
      "1_0";
      "99999999999999999999";
      "4\n5";
      "\255";
    ]

(* {1 Other facts} *)

let processor_lists () =
  let check list expected =
    with_tree
      [ allowed list; ("sys/devices/system/cpu/online", list ^ "\n") ]
      (fun ~root ->
        Alcotest.check count ("allowed " ^ list) expected (Machine.processors_allowed ~root ());
        Alcotest.check count ("online " ^ list) expected (Machine.processors_online ~root ()))
  in
  List.iter
    (fun (list, expected) -> check list (Some expected))
    [ ("0", 1); ("0-3", 4); ("0-1,4,6-7", 5); ("1023", 1) ];
  List.iter
    (fun list -> check list None)
    [ ""; ","; "0-"; "-3"; "3-0"; "0,,1"; "all"; "0-1-2"; "0-9,5-2"; "0x1"; "99999999999999999999" ]

let system () =
  let cpuinfo =
    "processor\t: 0\nmodel name\t: Fast: CPU @ 3GHz\nflags\t\t: fpu hypervisor\n\nmodel name\t: Other\n"
  in
  let tree =
    [
      ("proc/cpuinfo", cpuinfo);
      ("proc/sys/kernel/osrelease", "6.1.0-18\n");
      ("proc/loadavg", "0.50 1.25 12.00 1/85 7441\n");
    ]
  in
  with_tree tree (fun ~root ->
      Alcotest.check text "model" (Some "Fast: CPU @ 3GHz") (Machine.processor_model ~root ());
      Alcotest.check text "kernel" (Some "6.1.0-18") (Machine.kernel_release ~root ());
      Alcotest.(check (option bool)) "virtual" (Some true) (Machine.virtual_machine ~root ());
      let load = Option.map (fun { Machine.one; five; fifteen } -> [ one; five; fifteen ]) in
      Alcotest.(check (option (list (float 0.))))
        "load"
        (Some [ 0.5; 1.25; 12. ])
        (load (Machine.load_average ~root ())));
  let virtual_machine files = with_tree files (fun ~root -> Machine.virtual_machine ~root ()) in
  let check_virtual what expected files =
    Alcotest.(check (option bool)) what expected (virtual_machine files)
  in
  check_virtual "real" (Some false) [ ("proc/cpuinfo", "flags\t: fpu hypervisors\n") ];
  check_virtual "no flags" None [ ("proc/cpuinfo", "Features\t: fp asimd\n") ];
  check_virtual "Xen" (Some true) [ ("sys/hypervisor/type", "xen\n") ]

let cpu_time content = with_tree [ ("proc/stat", content) ] (fun ~root -> Machine.cpu_time ~root ())

let steal () =
  let time user steal =
    Option.get
      (cpu_time
         (Printf.sprintf "intr 1\ncpu  %d 1 2 3 4 5 6 %d 50 60\ncpu0 1 1 1 1 1 1 1 1 1 1\n" user steal))
  in
  let time_pair { Machine.total; steal } = (total, steal) in
  Alcotest.(check (pair int int)) "sums without guests" (138, 7) (time_pair (time 110 7));
  let share before after = Machine.stolen_share ~before ~after in
  let check what expected found = Alcotest.(check (option (float 1e-9))) what expected found in
  check "a quarter" (Some 0.25) (share (time 100 0) (time 130 10));
  check "nothing" (Some 0.) (share (time 100 5) (time 130 5));
  check "no time passed" None (share (time 100 5) (time 100 5));
  check "backwards" None (share (time 100 5) (time 130 4));
  check "more than all" None (share { total = 100; steal = 5 } { total = 110; steal = 25 });
  List.iter
    (fun content -> Alcotest.(check bool) "garbage" true (cpu_time content = None))
    [ ""; "cpu"; "cpu 1 2 3"; "cpu 1 2 3 4 5 6 7"; "cpu 1 2 3 4 x 6 7 8"; "cpu0 1 2 3 4 5 6 7 8\n"; "\255" ]

let never_raises () =
  let garbage =
    [ None; Some ""; Some "\n"; Some ":"; Some "\255\000\001 : \t: x"; Some "nan inf 0x1p3 1 2" ]
  in
  let files =
    [ "proc/cpuinfo"; "proc/loadavg"; "proc/stat"; "proc/self/status"; "sys/devices/system/cpu/online" ]
  in
  let unknown content =
    let tree =
      Option.fold content ~none:[] ~some:(fun content -> List.map (fun file -> (file, content)) files)
    in
    with_tree tree (fun ~root ->
        Alcotest.check text "model" None (Machine.processor_model ~root ());
        Alcotest.(check bool) "virtual" true (Machine.virtual_machine ~root () = None);
        Alcotest.(check bool) "load" true (Machine.load_average ~root () = None);
        Alcotest.(check bool) "time" true (Machine.cpu_time ~root () = None);
        Alcotest.check count "allowed" None (Machine.processors_allowed ~root ());
        Alcotest.check count "online" None (Machine.processors_online ~root ()))
  in
  List.iter unknown garbage;
  with_tree
    [ ("proc/sys/kernel/osrelease", " \n") ]
    (fun ~root -> Alcotest.check text "blank release" None (Machine.kernel_release ~root ()));
  Alcotest.check text "no such root" None (Machine.kernel_release ~root:"no/such/directory" ())

let () =
  Alcotest.run "machine"
    [
      ( "quota",
        [
          case "version 2: the own group's limit counts" v2_own_group;
          case "version 2: an ancestor's limit counts" v2_ancestor_only;
          case "version 2: a limit at the mount point counts" v2_at_mount_point;
          case "version 2: the smallest limit wins, and only of ancestors" v2_smallest_wins;
          case "version 2: of equal limits the nearest is named" v2_equal_nearest;
          case "version 2: max is no limit" v2_max;
          case "version 1: the own group's limit counts" v1_own_group;
          case "version 1: an ancestor's limit counts" v1_ancestor_only;
          case "version 1: -1 is no limit" v1_none;
          case "version 1: other controllers do not count" v1_other_controllers;
          case "both versions at once: the smaller limit wins" hybrid;
          case "a mount that shows part of the groups" mount_of_own_group;
          case "a mount of another group does not count" mount_of_sibling;
          case "groups above the namespace's root" above_namespace;
          case "blanks and colons in names" unusual_names;
          case "a long table is read to its end" long_table;
          case "garbage in a limit is no limit" garbage_quota;
          case "garbage in the tables of groups and mounts is no limit" garbage_tables;
        ] );
      ( "memory and threads",
        [ case "the smallest limits of the groups and their ancestors" memory_and_threads ] );
      ( "domains",
        [
          case "the least of affinity, quota and recommendation" least_of_all;
          case "a quota is rounded up" rounds_up;
          case "there is always one" at_least_one;
          case "WEFT_DOMAINS is a number from 1 to 128 or an error of one line"
            (environment "WEFT_DOMAINS" Machine.domains_from_env ~most:128);
          case "WEFT_PROCESSORS is a number from 1 to 1024 or an error of one line"
            (environment "WEFT_PROCESSORS" Machine.processors_from_env ~most:1024);
        ] );
      ( "facts",
        [
          case "lists of processors are counted" processor_lists;
          case "model, kernel, load, virtual machine" system;
          case "steal time is a share of all time" steal;
          case "missing and senseless files are unknown facts" never_raises;
        ] );
    ]
