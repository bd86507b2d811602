(* [left] is in seconds that the watcher has counted itself: while the machine was suspended, or when its clock
   is set, none pass. *)
type test = { name : string; mutable left : float }

let limit =
  match Option.bind (Sys.getenv_opt "WEFT_TEST_LIMIT") float_of_string_opt with
  | Some seconds -> seconds
  | None -> 600.

let running = Atomic.make None
let descriptions : (unit -> string) list Atomic.t = Atomic.make []
let reports : (unit -> string) list Atomic.t = Atomic.make []

let rec change list f =
  let was = Atomic.get list in
  if not (Atomic.compare_and_set list was (f was)) then change list f

let add_report f = change reports (fun fs -> fs @ [ f ])

let during what f =
  (* A closure of its own, so that it differs from that of another call. *)
  let description () = what () in
  change descriptions (List.cons description);
  Fun.protect f ~finally:(fun () -> change descriptions (List.filter (( != ) description)))

let until what condition =
  let rec look pause =
    if not (condition ()) then begin
      Thread.delay pause;
      look (Float.min 0.001 (2. *. pause))
    end
  in
  if not (condition ()) then during (fun () -> "waits until " ^ what) (fun () -> look 0.00001)

let until_undisturbed what attempt =
  let last = ref "" in
  let rec again () =
    match attempt () with
    | Ok () -> ()
    | Error why ->
        last := "; last: " ^ why;
        again ()
  in
  during (fun () -> "repeats until " ^ what ^ !last) again

(* --- the report --- *)

(* Alcotest keeps a test's output until the test ends, and this one will not end. *)
let seen_at_once = Unix.dup ~cloexec:true Unix.stderr

let tell text =
  let rec write from =
    if from < String.length text then
      write (from + Unix.write_substring seen_at_once text from (String.length text - from))
  in
  write 0

let told what f = match f () with text -> text | exception exn -> what ^ ": " ^ Printexc.to_string exn
let tell_all what fs = List.iter (fun f -> tell (told what f ^ "\n")) fs

(* The report itself may hang where it asks: each part is written before the next is asked for, and a
   second thread ends the program if one does not return. *)
let report name =
  let abort () =
    Thread.delay 10.;
    Unix.kill (Unix.getpid ()) Sys.sigabrt
  in
  ignore (Thread.create abort () : Thread.t);
  tell (Printf.sprintf "\nhangs: %s\n" name);
  tell_all "description" (Atomic.get descriptions);
  tell (told "threads" (fun () -> "threads:\n" ^ Threads.describe (Unix.getpid ())));
  tell_all "report" (Atomic.get reports);
  Unix.kill (Unix.getpid ()) Sys.sigabrt

(* Signals are for the tests: a handler that raises would end this thread, if it ran here. *)
let signals =
  Sys.[ sighup; sigint; sigterm; sigalrm; sigvtalrm; sigprof; sigusr1; sigusr2; sigchld; sigpipe; sigquit ]

let pause = 0.5

let watch () =
  ignore (Thread.sigmask SIG_BLOCK signals : int list);
  while true do
    Thread.delay pause;
    match Atomic.get running with
    | Some t ->
        t.left <- t.left -. pause;
        if t.left < 0. then report t.name
    | None -> ()
  done

let watcher = lazy (ignore (Thread.create watch () : Thread.t))

(* --- how long tests take --- *)

let times = match Sys.getenv_opt "WEFT_TEST_TIMES" with None | Some "" -> None | some -> some

(* One write per line: several programs write to the file. *)
let note_time name seconds =
  let append path =
    let file = Unix.openfile path [ O_WRONLY; O_APPEND; O_CREAT; O_CLOEXEC ] 0o644 in
    let line =
      Printf.sprintf "%.3f %s: %s\n" seconds
        (Filename.remove_extension (Filename.basename Sys.executable_name))
        name
    in
    ignore (Unix.write_substring file line 0 (String.length line) : int);
    Unix.close file
  in
  Option.iter append times

(* Beyond the limit: as long as the report may take. *)
let grace = 60.

let set_last_resort () =
  let left = match Atomic.get running with Some t -> t.left +. grace | None -> infinity in
  Last_resort.end_after left

let guard name f =
  Lazy.force watcher;
  let start = Unix.gettimeofday () in
  let was = Atomic.exchange running (Some { name; left = limit }) in
  set_last_resort ();
  Fun.protect f ~finally:(fun () ->
      Atomic.set running was;
      set_last_resort ();
      note_time name (Unix.gettimeofday () -. start))

let case name test = Alcotest.test_case name `Quick (fun () -> guard name test)
