open Weft_bench_elastic

let case = Testing.Watchdog.case
let write path text = Out_channel.with_open_bin path (fun channel -> Out_channel.output_string channel text)

let rec make_folder path =
  if not (Sys.file_exists path) then (
    make_folder (Filename.dirname path);
    Unix.mkdir path 0o755)

(* A machine of made-up files, with the folders in which the groups are mounted. *)
let with_machine ~cgroup ~mountinfo ~folders f =
  Testing.Folder.within "machine" @@ fun root ->
  let at name = Filename.concat root name in
  List.iter (fun folder -> make_folder (at folder)) ("proc/self" :: folders);
  write (at "proc/self/cgroup") cgroup;
  write (at "proc/self/mountinfo") mountinfo;
  f root

let places root =
  let inside path = String.sub path (String.length root) (String.length path - String.length root) in
  List.map inside (Cpu_group.directories ~root ())

let v1 = "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
let memory = "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
let v2 = "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime shared:9 - cgroup2 cgroup2 rw\n"

let groups_are_made_beneath_ones_own_or_its_ancestors () =
  let check what expected ~cgroup ~mountinfo =
    with_machine ~cgroup ~mountinfo ~folders:[] @@ fun root ->
    Alcotest.(check (list string)) what expected (places root)
  in
  let cpu = "/sys/fs/cgroup/cpu,cpuacct" and unified = "/sys/fs/cgroup/unified" in
  check "version 1"
    [ cpu ^ "/a/b"; cpu ^ "/a"; cpu ]
    ~cgroup:"4:memory:/m\n1:cpu,cpuacct:/a/b\n" ~mountinfo:(memory ^ v1);
  check "version 2" [ unified ^ "/s"; unified ] ~cgroup:"0::/s\n" ~mountinfo:v2;
  check "both" [ cpu; unified ^ "/s"; unified ] ~cgroup:"0::/s\n1:cpu,cpuacct:/\n" ~mountinfo:(v2 ^ v1);
  check "a part is mounted" [ "/mnt/b"; "/mnt" ] ~cgroup:"0::/a/b\n"
    ~mountinfo:"41 31 0:38 /a /mnt rw - cgroup2 cgroup2 rw\n";
  check "another part is mounted" [ "/mnt" ] ~cgroup:"0::/a/b\n"
    ~mountinfo:"41 31 0:38 /c /mnt rw - cgroup2 cgroup2 rw\n";
  check "none" [] ~cgroup:"4:memory:/m\n" ~mountinfo:memory;
  check "nonsense" [] ~cgroup:"::\n\n0:::" ~mountinfo:"- - -\n"

let where_there_is_no_quota_nothing_is_left () =
  with_machine ~cgroup:"0::/s\n" ~mountinfo:v2 ~folders:[ "sys/fs/cgroup/unified/s" ] @@ fun root ->
  (match Cpu_group.with_quota ~root ~processors:1. (fun _ -> Alcotest.fail "there is no group") with
  | Ok () -> ()
  | Error reason ->
      Alcotest.(check bool) "a reason in one line" true (reason <> "" && not (String.contains reason '\n')));
  let at = Filename.concat root "sys/fs/cgroup/unified" in
  Alcotest.(check (array string)) "above" [| "s" |] (Sys.readdir at);
  Alcotest.(check (array string)) "there" [||] (Sys.readdir (Filename.concat at "s"))

let no_hierarchy_is_a_reason () =
  with_machine ~cgroup:"" ~mountinfo:"" ~folders:[] @@ fun root ->
  Alcotest.(check (result unit string))
    "reason" (Error "no control group for processor time is mounted")
    (Cpu_group.with_quota ~root ~processors:1. ignore)

let cases_without_quota_are_left_out () =
  with_machine ~cgroup:"" ~mountinfo:"" ~folders:[] @@ fun root ->
  let cases = List.filter (fun (c : Case.t) -> List.mem c.name [ "neighbour"; "quota_1" ]) Case.all in
  let choice = { Measuring.cases; methods = None; workloads = None; domains = None; share = (fun _ -> 1.) } in
  let entries = Result.get_ok (Measuring.plan choice) in
  let left, skipped = Measuring.possible ~root ~program:"/nowhere" entries in
  let names entries = List.sort_uniq compare (List.map (fun (e : Measuring.entry) -> e.case.name) entries) in
  Alcotest.(check (list string)) "planned" [ "neighbour"; "quota_1" ] (names entries);
  Alcotest.(check (list string)) "left" [ "neighbour" ] (names left);
  Alcotest.(check (list string))
    "skipped" [ "quota_1" ]
    (List.map (fun ({ case; _ } : Measuring.skipped) -> case.name) skipped)

(* Runs only if this system allows us to make groups. *)
let a_group_is_removed_whatever_happens () =
  let seen = ref "" in
  let outcome =
    match
      Cpu_group.with_quota ~processors:1.5 (fun directory ->
          seen := directory;
          Alcotest.(check bool) "it is there" true (Sys.is_directory directory);
          let quota file = In_channel.with_open_bin (Filename.concat directory file) In_channel.input_all in
          let v2 = Sys.file_exists (Filename.concat directory "cpu.max") in
          let found =
            if v2 then String.trim (quota "cpu.max")
            else String.trim (quota "cpu.cfs_quota_us") ^ " " ^ String.trim (quota "cpu.cfs_period_us")
          in
          Alcotest.(check string) "quota" "150000 100000" found;
          raise Exit)
    with
    | Ok () -> "returned"
    | Error _ -> "refused"
    | exception Exit -> "raised"
  in
  if outcome <> "refused" then (
    Alcotest.(check string) "the exception" "raised" outcome;
    Alcotest.(check bool) "it is gone" false (Sys.file_exists !seen))

let tests =
  [
    case "groups are made beneath one's own or its ancestors"
      groups_are_made_beneath_ones_own_or_its_ancestors;
    case "where there is no quota nothing is left" where_there_is_no_quota_nothing_is_left;
    case "no hierarchy is a reason" no_hierarchy_is_a_reason;
    case "cases without a quota are left out" cases_without_quota_are_left_out;
    case "a group is removed whatever happens" a_group_is_removed_whatever_happens;
  ]
