(* The system may refuse what Weft asks for by itself: the program runs all the same. *)

open Testing

let here name = Filename.concat (Sys.getcwd ()) name
let subject = here "subject.exe"
let answer = "1688895 6 7\n"
let garbage = "54888896\n"

(* A shell sets the limit and then runs the subject. Whether the system allows the limit is tried first. *)
let limits =
  [
    ("no limit", ":");
    ("address space, 1 GB", "ulimit -v 1000000");
    ("address space, 750 MB", "ulimit -v 750000");
    ("address space, 600 MB", "ulimit -v 600000");
    ("stacks of 256 kB", "ulimit -s 256");
    ("12 file descriptors", "ulimit -n 12");
    ("no core files, no locked memory", "ulimit -c 0; ulimit -l 0");
    ("one domain, by OCAMLRUNPARAM", "export OCAMLRUNPARAM=d=1");
    ("two domains, by OCAMLRUNPARAM", "export OCAMLRUNPARAM=d=2");
    ("more domains than there are by default", "export OCAMLRUNPARAM=d=512");
    ("one processor", "command -v taskset >/dev/null && taskset -cp 0 $$ >/dev/null");
  ]

(* In a name space of its own, if that is allowed, an empty folder replaces [folder]. *)
let without folder = ("no " ^ folder, Printf.sprintf "mount -t tmpfs none %s" folder, [ "unshare"; "-rm" ])

(* A filter of the kernel (seccomp) refuses calls, as in containers. [prctl] comes last: it sets the
   filter. *)
let without_calls calls error =
  let calls = String.concat "," calls in
  (Printf.sprintf "%s: %s" calls error, ":", [ here "refusing.exe"; calls; error ])

let without_threads = without_calls [ "clone3"; "clone" ] "EAGAIN"

let filters =
  [
    without_calls [ "membarrier" ] "ENOSYS";
    without_calls [ "membarrier" ] "EPERM";
    without_calls [ "sched_getaffinity"; "sched_setaffinity"; "getcpu" ] "EPERM";
    without_calls [ "madvise" ] "ENOSYS";
    without_calls [ "clone3" ] "ENOSYS";
    without_calls
      [ "membarrier"; "sched_getaffinity"; "sched_setaffinity"; "sysinfo"; "getrusage"; "madvise"; "prctl" ]
      "EPERM";
  ]

(* The program runs in a control group of its own, if one can be made, of version 1 or 2. *)
let in_group controller ~v1 ~v2 limit =
  let script =
    Printf.sprintf
      {|new() { g=$1/weft-refusals-$$; f=$2; mkdir "$g" 2>/dev/null && { [ -e "$g/$f" ] || { rmdir "$g"; false; }; }; }
        new /sys/fs/cgroup/%s %s || new /sys/fs/cgroup %s || exit 3
        { echo %s >"$g/$f"; } 2>/dev/null || { rmdir "$g"; exit 3; }
        sh -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$g" "$@"
        code=$?; rmdir "$g"; exit $code|}
      controller v1 v2 limit
  in
  [ "sh"; "-c"; script; "sh" ]

let processes n =
  ( Printf.sprintf "a control group of %d threads" n,
    ":",
    in_group "pids" ~v1:"pids.max" ~v2:"pids.max" (string_of_int n) )

(* The same limit as of [ulimit -u]. It does not apply to root, and counts all processes of the user: so a
   user without other processes runs the program. *)
let threads n =
  let user = string_of_int (20_000 + (Unix.getpid () mod 40_000)) in
  ( Printf.sprintf "%d threads for the user" n,
    "test -x " ^ Filename.quote subject,
    [
      "setpriv"; "--reuid"; user; "--regid"; user; "--clear-groups"; "prlimit"; Printf.sprintf "--nproc=%d" n;
    ] )

let run ?(around = []) ?(arguments = []) ?(domains = "") limit =
  let command = Printf.sprintf "%s && exec %s" limit (Filename.quote_command subject arguments) in
  match around @ [ "sh"; "-c"; command ] with
  | program :: arguments ->
      Child.run ~env:(if domains = "" then [] else [ ("WEFT_DOMAINS", domains) ]) program arguments
  | [] -> assert false

let is_possible ?(around = []) limit =
  match around @ [ "sh"; "-c"; limit ^ " && exec true" ] with
  | program :: arguments -> (Child.run "env" (program :: arguments)).code = 0
  | [] -> assert false

(* Whether the limit can be tried here; if not, says so. *)
let can_try (what, limit, around) =
  let possible = is_possible ~around limit in
  if not possible then Printf.printf "left out: %s cannot be tried here\n" what;
  possible

let runs_under ?(arguments = []) ?(answer = answer) ((what, limit, around) as refusal) () =
  if can_try refusal then
    List.iter
      (fun domains ->
        let e = run ~around ~arguments ~domains limit in
        Alcotest.(check string) (Printf.sprintf "%s, WEFT_DOMAINS=%s: %s" what domains e.err) answer e.out;
        Alcotest.(check int) "exit code" 0 e.code)
      (Effort.some ~quick:[ "8" ] [ ""; "1"; "8" ])

(* If the user has asked for sizes and they are not used, one message says so. *)
let minor_heaps () =
  let asked = [ "8000000" ] in
  let free = run ~arguments:asked ":" in
  Alcotest.(check (pair string string)) "without a limit" (answer, "") (free.out, free.err);
  let e = run ~arguments:asked "ulimit -v 2000000" in
  Alcotest.(check (pair string int)) "with one" (answer, 0) (e.out, e.code);
  match Text.lines e.err with
  | [ line ] when Text.contains "8000000 words do not fit" line && Text.contains "ulimit -v" line -> ()
  | _ -> Alcotest.failf "expected one line, not %S" e.err

(* Threads of Weft leave the program some of the address space. *)
let bytes =
  let n = "200000000" in
  runs_under ~arguments:[ "bytes"; n ] ~answer:(Printf.sprintf "30 %s\n" n)
    ("address space, 1 GB", "ulimit -v 1000000", [])

(* If no thread can be made, a timer that the program has asked for is an error, in one line. *)
let timers () =
  let ((_, limit, around) as refusal) = threads 1 in
  if can_try refusal then
    let e = run ~around ~domains:"1" limit in
    match Text.lines e.err with
    | [ line ] when Text.contains "no thread can be started to watch the clock" line -> ()
    | _ -> Alcotest.failf "expected one line, not %S" e.err

(* Weft keeps the minor heaps small enough for the group's memory limit: eight of the usual size would outgrow
   it, and the system would end the program. *)
let memory () =
  let around = in_group "memory" ~v1:"memory.limit_in_bytes" ~v2:"memory.max" "80000000" in
  if can_try ("a memory limit", ":", around) then begin
    let e = run ~around ~arguments:[ "garbage" ] ~domains:"8" "export WEFT_PROCESSORS=8" in
    Alcotest.(check (pair string int)) e.err (garbage, 0) (e.out, e.code)
  end

let () =
  let case ((what, _, _) as limit) = Watchdog.case what (runs_under limit) in
  (* Timers need a thread. *)
  let computes ((what, _, _) as limit) =
    Watchdog.case what (runs_under ~arguments:[ "computes" ] ~answer:"1688895 7\n" limit)
  in
  Alcotest.run "refusals"
    [
      ( "limits",
        List.map (fun (what, limit) -> case (what, limit, [])) limits
        @ [ case (without "/proc"); case (without "/sys"); computes (threads 1) ]
        @ List.map (fun n -> case (threads n)) [ 2; 3; 4; 6; 9; 12 ] );
      ("system calls", computes without_threads :: List.map case filters);
      ( "control groups",
        (computes (processes 1) :: List.map (fun n -> case (processes n)) [ 3; 4; 6; 9; 12 ])
        @ [ Watchdog.case "memory" memory ] );
      ( "asked",
        [
          Watchdog.case "minor heaps that do not fit" minor_heaps;
          Watchdog.case "timers without a thread" timers;
          Watchdog.case "address space for the program" bytes;
        ] );
    ]
