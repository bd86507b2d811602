(* The first argument names what crosses, the second where to. Each program prints what it finds there. *)

external set_locale : string -> bool = "crossing_set_locale"
external codeset : unit -> string = "crossing_codeset"
external set_open_files : int -> bool = "crossing_set_open_files"
external open_files : unit -> int = "crossing_open_files"

let place = lazy (Places.of_string Sys.argv.(2))
let there f = Places.run (Lazy.force place) f
let say fmt = Printf.printf (fmt ^^ "\n%!")
let both name show f = say "%s: here %s, there %s" name (show (f ())) (show (there f))

(* Output of functions at a domain's or the program's exit must not depend on channels, which are flushed
   at exit. *)
let write line =
  let line = line ^ "\n" in
  ignore (Unix.write_substring Unix.stdout line 0 (String.length line))

let rec spin () = spin (ignore (Sys.opaque_identity 1))

let rec fork_for_ever () =
  ignore (Weft.par (fun () -> Sys.opaque_identity 1) (fun () -> Sys.opaque_identity 2));
  fork_for_ever ()

(* [f] runs in a task of the pool's own domain, which goes on; returns when [f ()] has been called. *)
let leave_running f go_on =
  let begun = Atomic.make false in
  ignore
    (Weft.Pool.async (Places.pool ()) (fun () ->
         f ();
         Atomic.set begun true;
         go_on ()));
  Places.until (fun () -> Atomic.get begun)

let at_exit_there line = there (fun () -> Domain.at_exit (fun () -> write line))

(* --- what belongs to a domain --- *)

let drawn () = String.concat " " (List.init 3 (fun _ -> string_of_int (Random.bits ())))

let random_self_init () =
  Random.self_init ();
  say "%s" (there drawn)

(* The program's random numbers are those of its seed, however many domains are started meanwhile. *)
let random_seeded () =
  Random.init 42;
  let first = drawn () in
  ignore (there drawn);
  ignore (there drawn);
  say "%s %s" first (drawn ())

let random_streams () =
  Random.init 42;
  let here = drawn () and inside = there drawn in
  say "%b" (here <> inside)

(* A worker starts the domain of another one: not the domain that drew the numbers of the seed. *)
let random_of_workers () =
  Random.self_init ();
  Weft_scheduler.Processors.assume (Some 4);
  let pool = Weft.Pool.create ~name:"many" ~domains:4 () in
  let there = Atomic.make 0 in
  Weft.Pool.run pool (fun () ->
      Weft.parallel_for ~chunk_size:1 ~start:1 ~finish:4
        ~body:(fun _ ->
          Atomic.incr there;
          while Atomic.get there < 4 do
            Domain.cpu_relax ()
          done;
          write (string_of_int (Random.bits ())))
        ())

let with_parent = Domain.DLS.new_key ~split_from_parent:(fun s -> s ^ ", split") (fun () -> "initial")
let without = Domain.DLS.new_key (fun () -> "initial")

let dls () =
  Domain.DLS.set with_parent "set";
  Domain.DLS.set without "set";
  both "split" Fun.id (fun () -> Domain.DLS.get with_parent);
  both "not split" Fun.id (fun () -> Domain.DLS.get without)

(* From here on a worker without work ends its domain. *)
let retire_at_once () = Atomic.set Weft_scheduler.Worker_thread.keep_alive Weft_scheduler.Idle_period.none

(* Each round uses a new domain of the same worker. *)
let domain_self () =
  retire_at_once ();
  let found =
    List.init 3 (fun _ ->
        let found = there (fun () -> ((Domain.self () :> int), Weft.Pool.worker_index ())) in
        Places.until (fun () -> Weft.Pool.present (Places.pool ()) = 0);
        found)
  in
  let different of_one = List.length (List.sort_uniq compare (List.map of_one found)) in
  say "domains: %d, workers: %d" (different fst) (different snd)

let temp_dir () =
  Filename.set_temp_dir_name "/elsewhere";
  both "temporary files" Fun.id Filename.get_temp_dir_name

(* Three names of temporary files drawn there; the files are removed. *)
let temp_names () =
  let name () =
    let file = Filename.temp_file "weft" "" in
    Sys.remove file;
    Filename.basename file
  in
  say "%s" (there (fun () -> String.concat " " (List.init 3 (fun _ -> name ()))))

(* The order of a table's keys shows its seed. *)
let order () =
  let table = Hashtbl.create 16 in
  for key = 1 to 100 do
    Hashtbl.replace table key ()
  done;
  Digest.to_hex (Digest.string (Hashtbl.fold (fun key () all -> all ^ string_of_int key) table ""))

let hashtbl_randomized () =
  both "randomized" string_of_bool Hashtbl.is_randomized;
  there Hashtbl.randomize;
  both "randomized" string_of_bool Hashtbl.is_randomized

let hashtbl_orders () =
  Hashtbl.randomize ();
  say "%s" (there (fun () -> String.concat " " (List.init 3 (fun _ -> order ()))))

(* The formatter of strings is not shared: another domain does not get what one domain writes into it. *)
let format_strings () =
  let flush () = Printf.sprintf "%S" (Format.flush_str_formatter ()) in
  Format.fprintf Format.str_formatter "here";
  say "there: %s" (there flush);
  there (fun () -> Format.fprintf (Format.get_str_formatter ()) "there");
  say "here: %s" (flush ());
  there (fun () -> Format.fprintf Format.str_formatter "there, to the first domain's");
  say "here: %s" (flush ())

let format_settings () =
  Format.set_margin 40;
  both "margin" string_of_int Format.get_margin

(* --- output that is buffered in a domain --- *)

let lines = 200

let format_in_loop () =
  Weft.parallel_for ~start:1 ~finish:lines
    ~body:(fun i ->
      Format.printf "line %d@\n" i;
      Unix.sleepf 1e-5)
    ()

let format_there () = there (fun () -> Format.printf "line@\n")
let format_stderr () = there (fun () -> Format.eprintf "line@\n")

(* Domains come and go: none of them exists at exit. *)
let format_retired () =
  retire_at_once ();
  for _ = 1 to 20 do
    there (fun () -> Format.printf "line@\n");
    Places.until (fun () -> Weft.Pool.present (Places.pool ()) = 0)
  done

let at_closing f =
  let pool = Weft.Pool.create ~name:"closed" ~domains:2 () in
  Places.in_worker pool f;
  Weft.Pool.close pool;
  write "closed";
  Unix._exit 0

let format_closed () = at_closing (fun () -> Format.printf "line@\n")

(* Whichever domain calls [exit], the others' output is printed. *)
let format_exit_there () =
  Format.printf "here@\n";
  there (fun () ->
      Format.printf "there@\n";
      exit 3)

let format_exit_beside () =
  Format.printf "here@\n";
  there (fun () -> Format.printf "there@\n");
  ignore (Weft.Pool.async (Places.pool ()) (fun () -> exit 3));
  Weft.Promise.await (Weft.Promise.create ())

(* --- functions that are called at the end --- *)

let domain_at_exit () =
  at_exit_there "function";
  write "end"

let domain_at_exit_order () =
  there (fun () ->
      Domain.at_exit (fun () -> write "first");
      Domain.at_exit (fun () -> write "second"))

let domain_at_exit_raises () =
  there (fun () ->
      Domain.at_exit (fun () -> write "never");
      Domain.at_exit (fun () -> failwith "mine"));
  write "end"

let domain_at_exit_retired () =
  retire_at_once ();
  let called = Atomic.make false in
  there (fun () ->
      Domain.at_exit (fun () ->
          write "function";
          Atomic.set called true));
  Places.until (fun () -> Atomic.get called);
  write "end"

let domain_at_exit_closed () =
  at_closing (fun () ->
      Domain.at_exit (fun () ->
          Unix.sleepf 0.05;
          write "function"))

(* The worker's domain retires, and is running its functions of [Domain.at_exit] when the program closes
   the pool, which has another worker by then. *)
let domain_at_exit_closed_late () =
  retire_at_once ();
  let pool = Weft.Pool.create ~name:"closed" ~domains:2 () in
  let going = Atomic.make false and go_on = Atomic.make false in
  Places.in_worker pool (fun () ->
      Domain.at_exit (fun () ->
          Atomic.set going true;
          Places.until (fun () -> Atomic.get go_on);
          Unix.sleepf 0.05;
          write "function"));
  Places.until (fun () -> Atomic.get going);
  Places.in_worker pool ignore;
  Atomic.set go_on true;
  Weft.Pool.close pool;
  write "closed";
  Unix._exit 0

let stdlib_at_exit () =
  there (fun () -> at_exit (fun () -> write "function"));
  write "end"

let sum () = Weft.parallel_for_reduce ~start:1 ~finish:1000 ~body:Fun.id ( + ) 0

let functions_use_weft () =
  at_exit (fun () -> write (Printf.sprintf "program's: %d" (sum ())));
  Domain.at_exit (fun () -> write (Printf.sprintf "first domain's: %d" (sum ())));
  there (fun () -> Domain.at_exit (fun () -> write (Printf.sprintf "there: %d" (sum ()))));
  write "end"

(* --- ways to end --- *)

let ends_by how () =
  (match how with
  | `Exit_in_task | `Exit_in_thread | `Handler -> Domain.at_exit (fun () -> write "first domain's")
  | `Raises | `Blocked | `Spins | `Forks -> ());
  at_exit_there "there's";
  match how with
  | `Raises -> failwith "mine"
  | `Exit_in_task -> there (fun () -> exit 3)
  | `Exit_in_thread -> Thread.join (Thread.create (fun () -> exit 3) ())
  | `Handler ->
      Sys.set_signal Sys.sigterm (Signal_handle (fun _ -> exit 3));
      Unix.kill (Unix.getpid ()) Sys.sigterm;
      Weft.Pool.run (Places.pool ()) fork_for_ever
  | `Blocked ->
      Weft.Pool.run (Places.pool ()) (fun () ->
          ignore (Weft.async (fun () -> Weft.blocking (fun () -> Unix.sleepf 3600.))))
  | `Spins -> leave_running ignore spin
  | `Forks -> leave_running (fun () -> Domain.at_exit (fun () -> write "forker's")) fork_for_ever

(* What is found there works, but nobody else would tell its workers that the program ends. *)
let ends_with_new_pool () =
  Domain.at_exit (fun () ->
      let pool = Weft.Pool.create ~name:"late" ~domains:2 () in
      let sum =
        Weft.Pool.run pool (fun () -> Weft.parallel_for_reduce ~start:1 ~finish:1000 ~body:Fun.id ( + ) 0)
      in
      let made = Option.get (Weft_scheduler.Pool_state.find "late") in
      write (Printf.sprintf "sum %d, stopped: %b" sum (Atomic.get made.stop)));
  there (fun () -> exit 3)

(* A worker may run the handler before the thread waits for what it has called. *)
let ends_before_the_wait () =
  let open Weft_platform in
  Domain.at_exit (fun () -> write "first domain's");
  Sys.set_signal Sys.sigterm (Signal_handle (fun _ -> exit 3));
  Weft.Pool.run (Places.pool ()) ignore;
  let parker = Parker.create ~interruptible:true in
  Weft_scheduler.(External_caller.computing (Pools.default ()) ~parker ~now:(Atomic.make parker)) @@ fun c ->
  Unix.kill (Unix.getpid ()) Sys.sigterm;
  let poll () =
    while true do
      Weft_scheduler.Signals.poll c
    done
  in
  let poller = Domain.spawn poll in
  Places.until Exit_functions.is_ending;
  (* If the end did not wait for this domain, the program would be over by now. *)
  Unix.sleepf 0.05;
  Exit_functions.run_if_due ();
  Domain.join poller

(* The functions of other domains are called though one task never ends. *)
let beside_one_that_spins () =
  let pool = Weft.Pool.create ~name:"spinner" ~domains:3 () in
  let spinning = Atomic.make false in
  ignore
    (Weft.Pool.async pool (fun () ->
         Atomic.set spinning true;
         spin ()));
  Places.until (fun () -> Atomic.get spinning);
  at_exit_there "there's"

(* --- what belongs to the program, or to a thread --- *)

let backtraces () =
  Printexc.record_backtrace true;
  both "recorded" string_of_bool Printexc.backtrace_status

let handler_of_uncaught () =
  Printexc.set_uncaught_exception_handler (fun exn _ -> write ("handler: " ^ Printexc.to_string exn));
  match there (fun () -> failwith "task") with
  | () -> ()
  | exception Failure what ->
      say "joined: %s" what;
      failwith "main"

let gc () =
  Gc.set { (Gc.get ()) with space_overhead = 333; stack_limit = 12345678 };
  both "space overhead" string_of_int (fun () -> (Gc.get ()).space_overhead);
  both "stack limit" string_of_int (fun () -> (Gc.get ()).stack_limit)

(* Whether the allocations of the calling domain are sampled. *)
let watched = Atomic.make (-1)
let seen = Atomic.make false
let self () = (Domain.self () :> int)

let is_sampled () =
  Atomic.set seen false;
  Atomic.set watched (self ());
  for i = 1 to 10_000 do
    ignore (Sys.opaque_identity (ref i))
  done;
  Atomic.set watched (-1);
  string_of_bool (Atomic.get seen)

let memprof before () =
  before ();
  let note _ =
    if self () = Atomic.get watched then Atomic.set seen true;
    None
  in
  ignore (Gc.Memprof.start ~sampling_rate:0.1 { Gc.Memprof.null_tracker with alloc_minor = note });
  both "sampled" Fun.id is_sampled;
  Gc.Memprof.stop ()

(* The domain existed before the profile was started. *)
let memprof_late =
  memprof (fun () ->
      Atomic.set Weft_scheduler.Worker_thread.keep_alive { least = 3600.; most = 3600. };
      there ignore)

let printers () =
  there (fun () -> Printexc.register_printer (function Exit -> Some "printed" | _ -> None));
  both "printer" Fun.id (fun () -> Printexc.to_string Exit)

let dispositions () =
  let caught = Atomic.make 0 in
  ignore (there ignore);
  there (fun () -> Sys.set_signal Sys.sigusr1 (Signal_handle (fun _ -> Atomic.incr caught)));
  Unix.kill (Unix.getpid ()) Sys.sigusr1;
  Places.until (fun () -> Atomic.get caught > 0);
  say "caught"

(* A field of /proc/thread-self/status. *)
let status field () =
  let ic = open_in "/proc/thread-self/status" in
  let rec find () =
    match String.split_on_char ':' (input_line ic) with
    | [ name; value ] when name = field -> String.trim value
    | _ -> find ()
  in
  Fun.protect ~finally:(fun () -> close_in ic) find

let masked signal mask = Int64.logand mask (Int64.shift_left 1L (signal - 1)) <> 0L

(* The mask is that of the program's first thread: so it is for programs that tasks start, in whichever
   way, and for their threads. *)
let masks () =
  let mask () = Int64.of_string ("0x" ^ status "SigBlk" ()) in
  let of_child line = Scanf.sscanf line "SigBlk: %Lx" Fun.id in
  let read ic =
    Fun.protect ~finally:(fun () -> ignore (Unix.close_process_in ic)) (fun () -> input_line ic)
  in
  let grep = [| "grep"; "SigBlk"; "/proc/self/status" |] in
  let created () =
    let out, into = Unix.pipe ~cloexec:true () in
    let child = Unix.create_process grep.(0) grep Unix.stdin into Unix.stderr in
    Unix.close into;
    let ic = Unix.in_channel_of_descr out in
    let line = input_line ic in
    close_in ic;
    ignore (Unix.waitpid [] child);
    line
  in
  let commanded () =
    let file = Filename.temp_file "weft" "mask" in
    ignore (Sys.command (Filename.quote_command grep.(0) ~stdout:file (List.tl (Array.to_list grep))));
    let ic = open_in file in
    let line = input_line ic in
    close_in ic;
    Sys.remove file;
    line
  in
  let opened () = read (Unix.open_process_args_in grep.(0) grep) in
  let in_thread () =
    let found = ref 0L in
    Thread.join (Thread.create (fun () -> found := mask ()) ());
    !found
  in
  ignore (Thread.sigmask SIG_BLOCK [ Sys.sigusr2 ]);
  let here = mask () in
  let compare what there = if there <> here then say "%s: %Lx, not %Lx" what there here in
  (* A shell may change the mask itself. *)
  let by_shell = of_child (commanded ()) in
  let all_of what f =
    compare what (f mask);
    compare (what ^ ", create_process") (f (fun () -> of_child (created ())));
    if f (fun () -> of_child (commanded ())) <> by_shell then say "%s, command" what;
    compare (what ^ ", open_process") (f (fun () -> of_child (opened ())));
    compare (what ^ ", thread") (f in_thread)
  in
  all_of "task" there;
  all_of "blocking call" (fun f -> there (fun () -> Weft.blocking f));
  say "sigusr2 masked: %b, sigint: %b" (masked 12 here) (masked 2 here)

(* A handler that raises ends the first domain's computation, and no worker. *)
exception Out_of_time

let timers = [ (Unix.ITIMER_VIRTUAL, Sys.sigvtalrm); (ITIMER_PROF, Sys.sigprof); (ITIMER_REAL, Sys.sigalrm) ]

let timers_of_processor_time () =
  List.iter
    (fun (timer, signal) ->
      Sys.set_signal signal (Signal_handle (fun _ -> raise Out_of_time));
      let limited () =
        ignore (Unix.setitimer timer { it_value = 0.01; it_interval = 0. });
        Weft.Pool.run (Places.pool ()) fork_for_ever
      in
      match limited () with _ -> () | exception Out_of_time -> say "ended")
    timers

(* Each of many time limits ends its loop, wherever the signal arrives: in a task, in a sleeping worker, or
   between two calls. The pool is intact afterwards. *)
let limits_of_processor_time () =
  let sum () =
    let body i = List.length (List.init (i mod 30) Fun.id) in
    Weft.parallel_for_reduce ~start:1 ~finish:300 ~body ( + ) 0
  in
  let rec sums () =
    ignore (Sys.opaque_identity (Weft.Pool.run (Places.pool ()) sum) : int);
    ignore (Sys.opaque_identity (sum ()) : int);
    sums ()
  in
  List.iter
    (fun (timer, signal) ->
      Sys.set_signal signal (Signal_handle (fun _ -> raise Out_of_time));
      for _ = 1 to 20 do
        let limited () =
          ignore (Unix.setitimer timer { it_value = 0.002; it_interval = 0. });
          sums ()
        in
        match limited () with () -> () | exception Out_of_time -> ()
      done)
    timers;
  there (fun () -> say "there");
  say "%d computations" (Weft_scheduler.Signals.computations ())

let affinity () = both "processors" Fun.id (status "Cpus_allowed_list")

let priority () =
  ignore (Unix.nice 5);
  both "nice" string_of_int (fun () -> Unix.nice 0)

let locale () =
  ignore (set_locale "C.UTF-8" : bool);
  both "codeset" Fun.id codeset

(* The ids are set when the domains exist already. *)
let credentials () =
  there ignore;
  if Unix.geteuid () = 0 then begin
    Unix.setgid 65534;
    Unix.setuid 65534
  end;
  both "user" string_of_int Unix.geteuid;
  both "group" string_of_int Unix.getegid

let process () =
  there (fun () ->
      Unix.chdir "/";
      Unix.putenv "CROSSING" "set";
      ignore (Unix.umask 0o027));
  both "directory" Fun.id Unix.getcwd;
  both "variable" Fun.id (fun () -> Unix.getenv "CROSSING");
  both "umask" string_of_int (fun () ->
      let mask = Unix.umask 0 in
      ignore (Unix.umask mask);
      mask)

let limits () =
  ignore (there (fun () -> set_open_files 100) : bool);
  both "open files" string_of_int open_files

let descriptors () =
  let from, into = there (fun () -> Unix.pipe ~cloexec:true ()) in
  ignore (Unix.write_substring into "x" 0 1);
  say "%d" (there (fun () -> Unix.read from (Bytes.create 1) 0 1))

let programs =
  [
    ("random-self-init", random_self_init);
    ("random-seeded", random_seeded);
    ("random-streams", random_streams);
    ("random-of-workers", random_of_workers);
    ("dls", dls);
    ("domain-self", domain_self);
    ("temp-dir", temp_dir);
    ("temp-names", temp_names);
    ("hashtbl-randomized", hashtbl_randomized);
    ("hashtbl-orders", hashtbl_orders);
    ("format-strings", format_strings);
    ("format-settings", format_settings);
    ("format-in-loop", format_in_loop);
    ("format-there", format_there);
    ("format-stderr", format_stderr);
    ("format-retired", format_retired);
    ("format-closed", format_closed);
    ("format-exit-there", format_exit_there);
    ("format-exit-beside", format_exit_beside);
    ("domain-at-exit", domain_at_exit);
    ("domain-at-exit-order", domain_at_exit_order);
    ("domain-at-exit-raises", domain_at_exit_raises);
    ("domain-at-exit-retired", domain_at_exit_retired);
    ("domain-at-exit-closed", domain_at_exit_closed);
    ("domain-at-exit-closed-late", domain_at_exit_closed_late);
    ("stdlib-at-exit", stdlib_at_exit);
    ("functions-use-weft", functions_use_weft);
    ("ends-raises", ends_by `Raises);
    ("ends-exit-in-task", ends_by `Exit_in_task);
    ("ends-exit-in-thread", ends_by `Exit_in_thread);
    ("ends-handler", ends_by `Handler);
    ("ends-with-new-pool", ends_with_new_pool);
    ("ends-before-the-wait", ends_before_the_wait);
    ("ends-blocked", ends_by `Blocked);
    ("ends-spins", ends_by `Spins);
    ("ends-forks", ends_by `Forks);
    ("beside-one-that-spins", beside_one_that_spins);
    ("backtraces", backtraces);
    ("handler-of-uncaught", handler_of_uncaught);
    ("gc", gc);
    ("memprof", memprof ignore);
    ("memprof-late", memprof_late);
    ("printers", printers);
    ("dispositions", dispositions);
    ("masks", masks);
    ("timers-of-processor-time", timers_of_processor_time);
    ("limits-of-processor-time", limits_of_processor_time);
    ("affinity", affinity);
    ("priority", priority);
    ("locale", locale);
    ("credentials", credentials);
    ("process", process);
    ("limits", limits);
    ("descriptors", descriptors);
  ]
  @ Deaths.programs

(* If a task never ends, the program must end by the time limit; other programs may take as long as they
   like. *)
let () =
  let name = Sys.argv.(1) in
  if not (List.mem name [ "ends-spins"; "beside-one-that-spins" ]) then
    Atomic.set Weft_platform.Exit_functions.limit 3600.;
  (List.assoc name programs) ()
