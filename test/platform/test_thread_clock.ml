(* If the system has no figures of threads, only what must hold there is checked. *)

open Weft_platform
module Clock = Thread_clock

let case = Testing.Watchdog.case
let check_bool = Alcotest.(check bool)
let ms n = n * 1_000_000
let fresh () = { Clock.ran = -1; waited = -1 }
let untouched reading = reading = fresh ()

let reading clock =
  let reading = fresh () in
  if Clock.read clock reading then Some reading else None

let unknown what clock =
  let reading = fresh () in
  check_bool (what ^ ": not known") false (Clock.read clock reading);
  check_bool (what ^ ": the reading is as before") true (untouched reading)

let known what clock =
  match reading clock with Some reading -> reading | None -> Alcotest.failf "%s: not known" what

let told =
  let clock = Clock.of_self () in
  Fun.protect (fun () -> reading clock <> None) ~finally:(fun () -> Clock.close clock)

let if_told promise () = if told then promise () else Alcotest.skip ()
let wait_for = Testing.Watchdog.until

(* --- threads to look at --- *)

(* [with_thread work f] is [f clock] while the thread of a domain does [work stop]; [clock] is that
   thread's. *)
let with_thread work f =
  let clock = Atomic.make None and stop = Atomic.make false in
  let run () =
    Atomic.set clock (Some (Clock.of_self ()));
    work stop
  in
  let domain = Domain.spawn run in
  wait_for "a thread that begins" (fun () -> Atomic.get clock <> None);
  let clock = Option.get (Atomic.get clock) in
  let finally () =
    Atomic.set stop true;
    Domain.join domain;
    Clock.close clock
  in
  Fun.protect ~finally (fun () -> f clock)

let spin stop =
  while not (Atomic.get stop) do
    Domain.cpu_relax ()
  done

let sleep stop =
  while not (Atomic.get stop) do
    Unix.sleepf 0.2
  done

(* The time that a thread ran and waited within some time, and how long that really was. *)
let within seconds clock =
  let before = known "before" clock and start = Timer_thread.now () in
  Unix.sleepf seconds;
  let after = known "after" clock and stop = Timer_thread.now () in
  (after.ran - before.ran, after.waited - before.waited, stop - start)

(* A busy machine may spoil a measurement. *)
let until_undisturbed = Testing.Watchdog.until_undisturbed

let figures (ran, waited, wall) =
  Printf.sprintf "ran %d us, waited %d us of %d us" (ran / 1000) (waited / 1000) (wall / 1000)

let wanted good all = if good then Ok () else Error (figures all)

let spinning () =
  with_thread spin @@ fun clock ->
  until_undisturbed "all of the time" @@ fun () ->
  let ((ran, waited, wall) as all) = within 0.3 clock in
  wanted (ran > 0 && waited >= 0 && abs (ran + waited - wall) < wall / 4) all

let sleeping () =
  with_thread sleep @@ fun clock ->
  until_undisturbed "nothing" @@ fun () ->
  let ((ran, waited, wall) as all) = within 0.3 clock in
  wanted (ran < wall / 20 && waited < wall / 20) all

(* The processors that this thread may use, in taskset's form: "0-3,8". *)
let processors () =
  let value line =
    match String.split_on_char '\t' line with [ "Cpus_allowed_list:"; list ] -> Some list | _ -> None
  in
  let status = In_channel.with_open_bin "/proc/thread-self/status" In_channel.input_all in
  List.find_map value (String.split_on_char '\n' status)

(* Threads inherit the processors of the thread that starts them. *)
let use processors =
  Sys.command (Printf.sprintf "taskset -cp '%s' %d >/dev/null 2>&1" processors (Unix.getpid ())) = 0

let on_one_processor f =
  let first list = List.hd (String.split_on_char '-' (List.hd (String.split_on_char ',' list))) in
  match processors () with
  | Some list when use (first list) -> Fun.protect f ~finally:(fun () -> ignore (use list))
  | _ -> Alcotest.skip ()

let sharing () =
  on_one_processor @@ fun () ->
  with_thread spin @@ fun clock ->
  with_thread spin @@ fun other ->
  until_undisturbed "a part of the time each" @@ fun () ->
  let ((ran, waited, wall) as all) = within 0.5 clock in
  ignore (known "the other" other);
  wanted (ran > 0 && waited > wall / 5 && ran + waited < wall * 5 / 4) all

let ended () =
  let clock = Domain.join (Domain.spawn Clock.of_self) in
  wait_for "the end of the thread" (fun () -> reading clock = None);
  unknown "ended" clock;
  Clock.close clock;
  unknown "ended and closed" clock

(* --- closing --- *)

let closed () =
  let clock = Clock.of_self () in
  ignore (known "open" clock);
  Clock.close clock;
  unknown "closed" clock;
  Clock.close clock;
  unknown "closed twice" clock

let no_thread () =
  unknown "none" Clock.none;
  Clock.close Clock.none;
  unknown "none, closed" Clock.none;
  unknown "no such file" (Clock.of_file "no/such/file");
  unknown "a directory" (Clock.of_file "/")

let with_file content f =
  let path = Filename.temp_file "weft-clock" "" in
  Out_channel.with_open_bin path (fun channel -> Out_channel.output_string channel content);
  Fun.protect (fun () -> f path) ~finally:(fun () -> Sys.remove path)

(* Two files with figures of their own: clocks of one are read while they are closed; the other is opened
   and closed all the time, so that it gets the same descriptor numbers. *)
let race () =
  with_file "1 1 1\n" @@ fun mine ->
  with_file "2 2 1\n" @@ fun another ->
  let current = Atomic.make (Clock.of_file mine) and stop = Atomic.make false in
  let wrong = Atomic.make 0 and seen = Atomic.make 0 in
  let look () =
    let reading = fresh () in
    while not (Atomic.get stop) do
      let clock = Atomic.get current in
      for _ = 1 to 5 do
        if Clock.read clock reading then
          Atomic.incr (if reading = { ran = 1; waited = 1 } then seen else wrong)
      done
    done
  in
  let readers = List.init 2 (fun _ -> Domain.spawn look) in
  let give_up = Timer_thread.now () + ms (Testing.Effort.count ~quick:200 ~usual:1_500 ~long:1_500) in
  while Timer_thread.now () < give_up || Atomic.get seen = 0 do
    let last = Atomic.exchange current (Clock.of_file mine) in
    Clock.close last;
    let other = Clock.of_file another in
    if reading other <> Some { ran = 2; waited = 2 } then Atomic.incr wrong;
    Clock.close other
  done;
  Atomic.set stop true;
  List.iter Domain.join readers;
  Alcotest.(check int) "figures of something else" 0 (Atomic.get wrong)

(* The program closes the clock's descriptor, of which it does not know, and gets the same number for a
   file of its own. *)
let taken_away () =
  with_file "1 1 1\n" @@ fun mine ->
  with_file "2 2 1\n" @@ fun another ->
  let next = Unix.openfile another [ O_RDONLY ] 0 in
  Unix.close next;
  let clock = Clock.of_file mine in
  (* Descriptors are numbers here, and the lowest free one is taken: the clock gets [next]'s. *)
  Unix.close next;
  let own = Unix.openfile another [ O_RDONLY ] 0 in
  check_bool "the same number" true (own = next);
  unknown "another file" clock;
  Clock.close clock;
  Alcotest.(check string) "still open" "2" (really_input_string (Unix.in_channel_of_descr own) 1);
  Unix.close own

(* The number of a closed clock's descriptor is used again for the very same file: only the clock's state
   tells that it is closed. *)
let closed_once () =
  with_file "1 1 1\n" @@ fun path ->
  let clock = Clock.of_file path in
  Clock.close clock;
  let own = Clock.of_file path in
  Clock.close clock;
  unknown "closed" clock;
  ignore (known "another clock of that file" own);
  Clock.close own

let descriptors () = Array.length (Sys.readdir "/proc/self/fd")

let given_back () =
  Gc.full_major ();
  let before = descriptors () in
  let threads = List.init 5 (fun _ -> Domain.spawn Clock.of_self) in
  let clocks = List.map Domain.join threads @ List.init 100 (fun _ -> Clock.of_self ()) in
  check_bool "they have descriptors" true (descriptors () >= before + 105);
  List.iter Clock.close clocks;
  List.iter Clock.close clocks;
  Alcotest.(check int) "closed" before (descriptors ());
  for _ = 1 to 100 do
    ignore (Sys.opaque_identity (Clock.of_self ()))
  done;
  Gc.full_major ();
  Alcotest.(check int) "forgotten" before (descriptors ())

let not_inherited () =
  let clock = Clock.of_self () in
  Alcotest.(check int)
    "in a program that is executed" 1
    (Sys.command "ls -l /proc/self/fd | grep -q schedstat");
  Clock.close clock

(* To be run before any domain is spawned: OCaml cannot fork a process that ever had two. *)
let forked () =
  let clock = Clock.of_self () in
  match Unix.fork () with
  | 0 ->
      let read = reading clock <> None in
      Clock.close clock;
      Unix._exit (if read && reading clock = None then 0 else 1)
  | child ->
      check_bool "the child reads and closes" true (snd (Unix.waitpid [] child) = WEXITED 0);
      ignore (known "the child's closing is the child's" clock);
      Clock.close clock

(* --- contents --- *)

let contents () =
  let check content expected =
    with_file content @@ fun path ->
    let clock = Clock.of_file path in
    let reading = fresh () in
    let read = Clock.read clock reading in
    let found = if read then Some (reading.ran, reading.waited) else None in
    Alcotest.(check (option (pair int int))) (String.escaped content) expected found;
    check_bool (String.escaped content ^ ": all or nothing") true (read || untouched reading);
    Clock.close clock
  in
  check "12 345 6\n" (Some (12, 345));
  check "0 0 1\n" (Some (0, 0));
  check "4611686018427387903 1 1\n" (Some (max_int, 1));
  List.iter
    (fun content -> check content None)
    [
      ""; "\n"; "1"; "1 2"; "1 2 "; "1 2 3"; "1 2\n"; "1 2 3 4\n"; "1 2 3\n4\n"; " 1 2 3\n"; "1  2 3\n"; "-1 2 3\n";
      "1 -2 3\n"; "a 2 3\n"; "1 b 3\n"; "1 2 c\n"; "1.5 2 3\n"; "0x1 2 3\n"; "1\0002 3\n"; "0 0 0\n";
      "4611686018427387904 1 1\n"; "1 4611686018427387904 1\n"; "18446744073709551615 1 1\n";
      "18446744073709551616 1 1\n"; "99999999999999999999999999 1 1\n"; String.make 100_000 '1';
    ]
    [@ocamlformat "disable"]

let allocates_nothing () =
  let clock = Clock.of_self () and reading = fresh () in
  let before = Gc.minor_words () in
  for _ = 1 to 10_000 do
    ignore (Clock.read clock reading);
    ignore (Clock.read Clock.none reading)
  done;
  let words = Gc.minor_words () -. before in
  check_bool (Printf.sprintf "%.0f words" words) true (words < 100.);
  Clock.close clock

(* --- no descriptor left: in a program of its own --- *)

let use_up_descriptors () =
  let rec go open_files =
    match Unix.openfile "/dev/null" [ O_RDONLY ] 0 with
    | file -> go (file :: open_files)
    | exception Unix.Unix_error (EMFILE, _, _) -> open_files
  in
  let spare = go [] in
  let clock = Clock.of_self () in
  let unknown = reading clock = None in
  Clock.close clock;
  Unix.close (List.hd spare);
  let later = Clock.of_self () in
  exit (if unknown && reading later <> None then 0 else 1)

let no_descriptor_left () =
  let self = Filename.quote Sys.executable_name in
  Alcotest.(check int)
    "none, then again" 0
    (Sys.command ("ulimit -n 30; exec " ^ self ^ " use-up-descriptors"))

let () =
  if Array.mem "use-up-descriptors" Sys.argv then use_up_descriptors ();
  Alcotest.run "thread clock"
    [
      ( "descriptors",
        [
          case "in a child process clocks may be read and closed" (if_told forked);
          case "closed clocks, and forgotten ones, give their descriptors back" (if_told given_back);
          case "programs that are executed do not inherit them" (if_told not_inherited);
          case "without a descriptor the clock reads nothing" (if_told no_descriptor_left);
          case "a number that was taken away is neither read nor closed" taken_away;
        ] );
      ( "closing",
        [
          case "a closed clock reads nothing" (if_told closed);
          case "only the first closing closes" closed_once;
          case "the clock of no thread reads nothing" no_thread;
          case "reading while it is closed reads the clock's own file or nothing" race;
        ] );
      ( "reading",
        [
          case "a line of any other form is not known" contents;
          case "reading allocates nothing" allocates_nothing;
        ] );
      ( "threads",
        [
          case "a spinning thread runs or waits all of the time" (if_told spinning);
          case "a sleeping thread neither runs nor waits" (if_told sleeping);
          case "threads that share a processor wait" (if_told sharing);
          case "a thread that has ended is not known" (if_told ended);
        ] );
    ]
