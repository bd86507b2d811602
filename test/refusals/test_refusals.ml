(* What Weft asks the system for unasked may be refused: the program runs all the same. *)

open Testing

let subject = Filename.concat (Sys.getcwd ()) "subject.exe"
let answer = "1688895 6 7\n"

(* Run by a shell that sets the limit first. Whether the system lets it be set is tried before. *)
let limits =
  [
    ("no limit", ":");
    ("address space, 1 GB", "ulimit -v 1000000");
    ("address space, 600 MB", "ulimit -v 600000");
    ("stacks of 256 kB", "ulimit -s 256");
    ("12 file descriptors", "ulimit -n 12");
    ("no core files, no locked memory", "ulimit -c 0; ulimit -l 0");
    ("one domain, by OCAMLRUNPARAM", "export OCAMLRUNPARAM=d=1");
    ("two domains, by OCAMLRUNPARAM", "export OCAMLRUNPARAM=d=2");
    ("more domains than there are by default", "export OCAMLRUNPARAM=d=512");
    ("one processor", "command -v taskset >/dev/null && taskset -cp 0 $$ >/dev/null");
  ]

(* In a name space of its own, where that is allowed, an empty folder takes the place of [folder]. *)
let without folder = ("no " ^ folder, Printf.sprintf "mount -t tmpfs none %s" folder, [ "unshare"; "-rm" ])

(* A user of the system, not root, may be refused threads. *)
let no_threads = ("no threads to be had", "ulimit -u 1", [ "setpriv"; "--reuid=65534"; "--clear-groups" ])

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

let runs_under (what, limit, around) () =
  if not (is_possible ~around limit) then Printf.printf "left out: %s cannot be tried here\n" what
  else
    List.iter
      (fun domains ->
        let e = run ~around ~domains limit in
        Alcotest.(check string) (Printf.sprintf "%s, WEFT_DOMAINS=%s: %s" what domains e.err) answer e.out;
        Alcotest.(check int) "exit code" 0 e.code)
      [ ""; "1"; "8" ]

(* Sizes that somebody has asked for are told of, once, if they are left out. *)
let minor_heaps () =
  let asked = [ "8000000" ] in
  let free = run ~arguments:asked ":" in
  Alcotest.(check (pair string string)) "without a limit" (answer, "") (free.out, free.err);
  let e = run ~arguments:asked "ulimit -v 1000000" in
  Alcotest.(check (pair string int)) "with one" (answer, 0) (e.out, e.code);
  match Child.lines e.err with
  | [ line ] when Child.contains "8000000 words do not fit" line && Child.contains "ulimit -v" line -> ()
  | _ -> Alcotest.failf "expected one line, not %S" e.err

let () =
  let case ((what, _, _) as limit) = Watchdog.case what (runs_under limit) in
  Alcotest.run "refusals"
    [
      ( "limits",
        List.map (fun (what, limit) -> case (what, limit, [])) limits
        @ [ case (without "/proc"); case (without "/sys"); case no_threads ] );
      ("asked", [ Watchdog.case "minor heaps that do not fit" minor_heaps ]);
    ]
