(* What the traces of known programs must contain. *)

let check = Alcotest.check
let subject = Tool.program "subject.exe"

(* Traces a program that is expected to end normally; [f] gets its trace and output. *)
let traced_with_output ?(options = []) ?(code = 0) arguments f =
  Tool.in_folder @@ fun dir ->
  let path = Filename.concat dir "t.json" in
  let ended = Tool.run (("trace" :: options) @ [ "-o"; path; "--"; subject ] @ arguments) in
  check Alcotest.int ("exit code, " ^ ended.err) code ended.code;
  f (File.read path) ended.out

let traced ?options ?code arguments f = traced_with_output ?options ?code arguments (fun trace _ -> f trace)
let count t ?phase ?name category = List.length (File.of_category t ?phase ?name category)
let at_least what least n = if n < least then Alcotest.failf "%s: %d, not %d" what n least
let ended (e : File.event) = e.time +. e.length
let the what = function [ e ] -> e | found -> Alcotest.failf "%s: %d of them" what (List.length found)

let span t category name =
  ( the (name ^ " begins") (File.of_category t ~phase:"b" ~name category),
    the (name ^ " ends") (File.of_category t ~phase:"e" ~name category) )

let test_fib () =
  traced [ "fib" ] @@ fun t ->
  at_least "jobs" 1 (count t "job");
  at_least "GC phases" 1 (count t ~phase:"X" "gc");
  check Alcotest.int "nothing lost" 0 (File.lost_words t);
  (* Both workers come, from outside or back where there is one processor, and the rows belong to them. *)
  let come name = List.map (fun e -> File.int e "worker") (File.of_category t ~name "worker") in
  let joined = come "join" @ come "return" in
  check Alcotest.(list int) "who joins" [ 0; 1 ] (List.sort_uniq compare joined);
  let pools = List.sort_uniq compare (List.map (fun e -> File.text e "pool") (File.of_category t "job")) in
  check Alcotest.int "one pool" 1 (List.length pools);
  at_least "rows with names" 2
    (List.length (List.filter (fun (_, n) -> String.starts_with ~prefix:"worker" n) t.names));
  (* The forks of worker 0: one for each call of fib with 2 or more. *)
  let forks = List.fold_left (fun most e -> max most (File.int e "forks")) 0 (File.of_category t "counter") in
  at_least "forks" 1 forks

(* A worker that is in one job all the time tells how much it has forked where regions begin and end. *)
let test_forks_of_regions () =
  traced [ "forks and none" ] @@ fun t ->
  let begins, ends = span t "region" "sequential" in
  let samples = List.filter (fun (e : File.event) -> e.name = "forks") (File.of_category t "counter") in
  let between from until =
    List.filter_map
      (fun (e : File.event) -> if from < e.time && e.time <= until then Some (File.int e "forks") else None)
      samples
  in
  let before = List.fold_left max 0 (between (-1.) begins.time) in
  at_least "forks before" 1 before;
  check Alcotest.(list int) "none within" [ before ] (between begins.time ends.time)

let test_steal () =
  traced [ "steal" ] @@ fun t ->
  let thefts = File.of_category t "steal" in
  at_least "thefts" 1 (List.length thefts);
  let stolen = List.filter (fun e -> File.text e "from" = "stolen") (File.of_category t "job") in
  check Alcotest.int "each begins a job" (List.length thefts) (List.length stolen);
  (* One of the stolen jobs lasts 5 ms, on another worker than its victim. *)
  let long = List.filter (fun (e : File.event) -> e.length > 4_000.) stolen in
  let job = the "the stolen fork" long in
  check Alcotest.bool "not from itself" true (File.int job "worker" <> File.int job "victim");
  let theft = List.find (fun (e : File.event) -> e.time = job.time) thefts in
  check Alcotest.int "the same victim" (File.int job "victim") (File.int theft "victim");
  (* The thief had searched for it. *)
  let search (e : File.event) = e.track = job.track && Float.abs (ended e -. job.time) < 1. in
  at_least "a search that found it" 1
    (List.length
       (List.filter
          (fun e -> search e && List.assoc "found" e.arguments = `Bool true)
          (File.of_category t "search")))

let test_regions () =
  traced [ "regions" ] @@ fun t ->
  let outer, outer_end = span t "region" "outer" in
  let inner, inner_end = span t "region" "inner \"quoted\" \xef\xbf\xbd" in
  let raises, raises_end = span t "region" "raises" in
  let here = the "the instant" (File.of_category t ~phase:"i" ~name:"here" "region") in
  let order =
    List.map (fun (e : File.event) -> e.time) [ outer; here; inner; inner_end; raises; raises_end; outer_end ]
  in
  check Alcotest.(list (float 0.)) "in order" (List.sort compare order) order;
  (* Less than the program's 1000: its clock is another one, which may be set and counts whole
     microseconds. *)
  at_least "as long as it was, in us" 990 (int_of_float (inner_end.time -. inner.time))

let test_regions_outside () =
  traced [ "outside" ] @@ fun t ->
  ignore (span t "region" "outer");
  check Alcotest.int "no pool" 0 (count t "job")

let test_region_moves () =
  traced [ "moving" ] @@ fun t ->
  let begins = File.of_category t ~phase:"b" ~name:"moving" "region" in
  let end_of (b : File.event) =
    List.find (fun (e : File.event) -> e.id = b.id) (File.of_category t ~phase:"e" ~name:"moving" "region")
  in
  let b = the "the region" begins in
  check Alcotest.bool "it ends on another worker" true ((end_of b).track <> b.track)

let test_locks () =
  traced [ "locks" ] @@ fun t ->
  let waits = File.of_category t ~phase:"b" "lock" in
  check Alcotest.int "all but the first wait" 7 (List.length waits);
  let objects = List.sort_uniq compare (List.map (fun e -> File.int e "object") waits) in
  check Alcotest.int "for one mutex" 1 (List.length objects);
  check
    Alcotest.(list string)
    "by protect" [ "Weft.Mutex.protect" ]
    (List.sort_uniq compare (List.map (fun (e : File.event) -> e.name) waits));
  (* One after the other holds the lock, 10 ms each: the last one waits 70 ms. *)
  let length (b : File.event) =
    let e = List.find (fun (e : File.event) -> e.id = b.id) (File.of_category t ~phase:"e" "lock") in
    e.time -. b.time
  in
  at_least "the longest wait, in us" 60_000
    (int_of_float (List.fold_left Float.max 0. (List.map length waits)));
  check Alcotest.int "sleeps are no locks" 8 (count t ~phase:"b" ~name:"Weft.sleep" "suspend")

let test_channels () =
  traced [ "channels" ] @@ fun t ->
  let sends = File.of_category t ~phase:"b" ~name:"Weft.Chan.send" "channel" in
  (* Each send waits, except the first. *)
  check Alcotest.int "the sender waits" 19 (List.length sends);
  check Alcotest.int "for one channel" 1
    (List.length (List.sort_uniq compare (List.map (fun e -> File.int e "object") sends)))

let test_blocking () =
  traced [ "blocking" ] @@ fun t ->
  check Alcotest.int "calls" 3 (count t ~phase:"b" "blocking");
  check Alcotest.int "and who waits for them" 3 (count t ~phase:"b" ~name:"Weft.blocking" "suspend");
  List.iter
    (fun (b : File.event) ->
      let e = List.find (fun (e : File.event) -> e.id = b.id) (File.of_category t ~phase:"e" "blocking") in
      at_least "10 ms, in us" 10_000 (int_of_float (e.time -. b.time)))
    (File.of_category t ~phase:"b" "blocking")

let test_cancellation () =
  traced [ "cancelled" ] @@ fun t ->
  let cancels = File.of_category t "cancel" in
  at_least "cancellations" 1 (List.length cancels);
  let what = List.map (fun e -> File.text e "exception") cancels in
  check Alcotest.bool "by Weft.Cancel" true (List.exists (String.starts_with ~prefix:"Weft.Cancel.") what)

let test_bad_chunk () =
  traced [ "loop" ] @@ fun t ->
  let block =
    the "the block that takes long"
      (List.filter (fun e -> File.int e "first" = 0) (File.of_category t ~phase:"X" "loop"))
  in
  check Alcotest.int "its last iteration" 49 (File.int block "last");
  (* As above, 50 ms. *)
  at_least "its length in us" 49_500 (int_of_float block.length);
  (* The block is inside a job, and inside its region. *)
  let region, region_end = span t "region" "loop" in
  check Alcotest.bool "in the region" true (region.time <= block.time && ended block <= region_end.time);
  at_least "a job around it" 1
    (List.length
       (List.filter
          (fun (j : File.event) -> j.track = block.track && j.time <= block.time && ended block <= ended j)
          (File.of_category t "job")))

let test_garbage () =
  traced [ "garbage" ] @@ fun t ->
  let names =
    List.sort_uniq compare (List.map (fun (e : File.event) -> e.name) (File.of_category t ~phase:"X" "gc"))
  in
  List.iter
    (fun phase -> check Alcotest.bool phase true (List.mem phase names))
    [ "minor"; "major_slice"; "explicit_gc_full_major" ];
  at_least "what was promoted is told" 1 (count t ~phase:"C" ~name:"minor_promoted" "gc")

let test_batches () =
  traced [ "batches" ] @@ fun t ->
  let batches = File.of_category t ~phase:"b" "batch" in
  check Alcotest.int "batches" 10 (List.length batches);
  List.iter (fun e -> check Alcotest.int "of this size" 64 (File.int e "size")) batches

(* A worker that has to wait for a processor goes to sleep late. *)
let test_sleeps () =
  Testing.Watchdog.until_undisturbed "a worker sleeps for 3 ms" @@ fun () ->
  traced [ "sleepy" ] @@ fun t ->
  let parks = File.of_category t ~phase:"X" "park" in
  let longest = List.fold_left (fun most (e : File.event) -> Float.max most e.length) 0. parks in
  if longest >= 3_000. then Ok () else Error (Printf.sprintf "for %f us" longest)

(* A hundred thousand empty jobs: few events, which cover all jobs. The tracer lets jobs share events if they
   take less than 12 us each, which the system may prevent. *)
let test_small_jobs () =
  Testing.Watchdog.until_undisturbed "jobs share events" @@ fun () ->
  traced [ "small" ] @@ fun t ->
  let jobs = File.of_category t "job" in
  let number e = match List.assoc_opt "jobs" e.File.arguments with Some (`Int n) -> n | _ -> 1 in
  let all = List.fold_left (fun sum e -> sum + number e) 0 jobs in
  if File.lost_words t = 0 then at_least "jobs told" 100_000 all;
  if List.length jobs < all / 4 then Ok ()
  else Error (Printf.sprintf "%d jobs in %d events" all (List.length jobs))

(* At least what the program prints at its end, and at most what the system reports of it and the tool
   together. *)
let check_processor_time t ~own ~all =
  let times = File.of_category t ~phase:"C" ~name:"process" "machine" in
  let told = List.fold_left (fun most e -> max most (File.int e "cpu_us")) 0 times in
  at_least "in us" (int_of_string own) told;
  at_least "no more than that" told all

let of_children () =
  let t = Unix.times () in
  int_of_float (Float.ceil ((t.tms_cutime +. t.tms_cstime) *. 1e6))

let test_processor_time () =
  let before = of_children () in
  traced_with_output [ "processor time" ] @@ fun t own ->
  check_processor_time t ~own ~all:(of_children () - before)

(* The tool is stopped before there is anything to read, and continues when the program has ended. *)
let test_late () =
  let before = of_children () in
  Tool.in_folder @@ fun dir ->
  let path = Filename.concat dir "t.json" in
  let script = "kill -STOP $PPID; exec " ^ Filename.quote_command subject [ "processor time" ] in
  let tool = Tool.start [ "trace"; "-o"; path; "--"; "sh"; "-c"; script ] in
  let state pid = Option.map fst (Testing.Threads.state_and_parent pid) in
  let pid = Testing.Child.pid tool in
  if Sys.file_exists "/proc/self/stat" then begin
    Testing.Watchdog.until "the program has ended, the tool is stopped" (fun () ->
        state pid = Some 'T' && List.map state (Testing.Threads.children pid) = [ Some 'Z' ]);
    Testing.Child.signal tool Sys.sigcont
  end;
  let ended = Testing.Child.finish tool in
  check Alcotest.int ended.err 0 ended.code;
  check_processor_time (File.read path) ~own:ended.out ~all:(of_children () - before)

let tests =
  let case name f = Testing.Watchdog.case name f in
  [
    case "fib: jobs, collections, workers" test_fib;
    case "how much was forked is told at regions" test_forks_of_regions;
    case "a stolen fork: theft, victim, search" test_steal;
    case "regions have names, also if they raise" test_regions;
    case "regions are shown outside pools too" test_regions_outside;
    case "a region may end on another worker" test_region_moves;
    case "a contended mutex" test_locks;
    case "a full channel" test_channels;
    case "blocking calls" test_blocking;
    case "a time-out" test_cancellation;
    case "a chunk that is too large" test_bad_chunk;
    case "a program that makes garbage" test_garbage;
    case "batches" test_batches;
    case "workers that have nothing to do" test_sleeps;
    case "jobs that take no time share events" test_small_jobs;
    case "processor time until the end" test_processor_time;
    case "processor time of a program that has ended before the first look" test_late;
  ]
