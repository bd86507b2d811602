(* lib/mpi/find-mpi, which decides whether weft-mpi is built: with an mpicc of any kind it says the options of an MPI
   that works, or nothing; and nothing on standard error. *)

module Child = Testing.Child

let case = Testing.Watchdog.case
let write file text = Out_channel.with_open_bin file (fun c -> output_string c text)
let in_folder f = Testing.Folder.within "weft find-mpi" f

let header ~version =
  Printf.sprintf
    {|#define MPI_VERSION %d
typedef int MPI_Request, MPI_Comm, MPI_Message, MPI_Status, MPI_Win, MPI_Count;
#define MPI_Init_thread(...) 0
#define MPI_Comm_idup(...) 0
#define MPI_Improbe(...) 0
#define MPI_Get_elements_x(...) 0
#define MPI_Win_allocate(...) (base = 0)
#define MPI_Rget_accumulate(...) 0
#define MPI_Finalize() (argc - argc)
|}
    version

(* An mpicc that prints [says FOLDER], and an MPI in that folder: a header, and no library. *)
let find ?(version = 3) ?cache ?(code = 0) says =
  in_folder @@ fun folder ->
  let file = Filename.concat folder in
  write (file "mpi.h") (header ~version);
  write (file "said") (says folder);
  write (file "mpicc") (Printf.sprintf "#!/bin/sh\ncat '%s'\necho noise >&2\nexit %d\n" (file "said") code);
  Unix.chmod (file "mpicc") 0o755;
  let path = folder ^ ":" ^ Option.value (Sys.getenv_opt "PATH") ~default:"/usr/bin:/bin" in
  let without = String.equal "PATH" in
  let cc = Option.value (Sys.getenv_opt "WEFT_TEST_CC") ~default:"cc" in
  let e = Child.run ~env:[ ("PATH", path) ] ~without "sh" ([ "./find-mpi"; cc ] @ Option.to_list cache) in
  Alcotest.(check (pair int string)) "exit code, errors" (0, "") (e.code, e.err);
  let replaced = String.split_on_char '\n' e.out in
  List.filter_map
    (fun line -> if line = "" then None else if line = "-I" ^ folder then Some "-IFOLDER" else Some line)
    replaced

let found = Alcotest.(check (list string))
let include_of folder = Printf.sprintf "-I'%s'" folder

let works () =
  let plain folder = "gcc " ^ include_of folder ^ " -DA=1 -L/usr/lib -O2 -pthread -lm\n" in
  found "plain" [ "-IFOLDER"; "-DA=1"; "-pthread"; "--"; "-L/usr/lib"; "-pthread"; "-lm" ] (find plain);
  let intel folder =
    Printf.sprintf
      "gcc -I\"%s\" -L\"/usr/lib\" -Xlinker --as-needed -Xlinker -rpath -Xlinker \"/usr/lib\" -l m" folder
  in
  found "Intel's"
    [ "-IFOLDER"; "--"; "-L/usr/lib"; "-Wl,--as-needed"; "-Wl,-rpath"; "-Wl,/usr/lib"; "-lm" ]
    (find intel)

let does_not_work () =
  let nothing what ?version ?code says = found what [] (find ?version ?code says) in
  let good folder = "gcc " ^ include_of folder in
  nothing "exit code" ~code:1 good;
  nothing "version 2" ~version:2 good;
  nothing "nothing" (fun _ -> "");
  nothing "no header" (fun _ -> "gcc -I/nowhere");
  nothing "no library" (fun folder -> good folder ^ " -lno_such_library_of_mpi");
  nothing "a folder of libraries with a space" (fun folder -> good folder ^ Printf.sprintf " -L'%s'" folder);
  nothing "an open quote" (fun folder -> good folder ^ " \"-lm");
  nothing "a message" (fun _ -> "Error: no compiler; $(false) `false` > (see 'log')\nsorry\n")

(* What was found is used again, unless the header has changed. *)
let kept () =
  in_folder @@ fun cache ->
  let count () = Array.length (Sys.readdir cache) in
  let good folder = "gcc " ^ include_of folder in
  found "first" [ "-IFOLDER"; "--" ] (find ~cache good);
  Alcotest.(check int) "kept" 1 (count ());
  found "another" [] (find ~cache ~version:2 good);
  found "no folder" [ "-IFOLDER"; "--" ] (find ~cache:(Filename.concat cache "none") good)

(* What make build prints where there is no mpicc that works. *)
let left_out () =
  in_folder @@ fun folder ->
  let mpicc = Filename.concat folder "mpicc" in
  write mpicc "#!/bin/sh\nexit 1\n";
  Unix.chmod mpicc 0o755;
  let path = folder ^ ":" ^ Option.value (Sys.getenv_opt "PATH") ~default:"/usr/bin:/bin" in
  let say option =
    Child.run ~env:[ ("PATH", path) ] ~without:(String.equal "PATH") "sh" [ "../../scripts/mpi"; option ]
  in
  let e = say "--left-out" in
  Alcotest.(check (triple int string string))
    "one line"
    (0, "left out: weft-mpi and its tests, no MPI that works here (make mpi installs one)\n", "")
    (e.code, e.out, e.err);
  let e = say "--left" in
  Alcotest.(check (triple int string string))
    "another option"
    (1, "", "mpi: unknown option '--left' (there is --left-out)\n")
    (e.code, e.out, e.err)

let () =
  Alcotest.run "find-mpi"
    [
      ("an mpicc", [ case "works" works; case "does not work" does_not_work; case "is asked again" kept ]);
      ("make build", [ case "says what is left out" left_out ]);
    ]
