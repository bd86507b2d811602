(* The batched log: many tasks append. *)

module Alcotest = Testing.Checks.Alcotest
open Support
module File = Weft_containers.Log_file
module Batched = Weft_batch.Log
module Cell = Weft_batch.Cell

let opened ?(system = quick) ?segment_size path f =
  let log = Batched.open_ ~system ?segment_size path in
  Fun.protect ~finally:(fun () -> Batched.close log) (fun () -> f log)

let contents log = List.rev (Batched.fold (fun _ s all -> s :: all) log [])
let with_domains f = List.iter (fun domains -> Weft.run ~domains (fun () -> f domains)) [ 1; 2; 8 ]

(* --- a batch is what its operations are one by one --- *)

let some_operations random =
  let payload () =
    File.record (String.make (Random.State.int random 50) (Char.chr (Random.State.int random 256)))
  in
  Array.init (Random.State.int random 30) (fun _ ->
      if Random.State.int random 3 = 0 then
        Batched.Append_many (Array.init (Random.State.int random 4) (fun _ -> payload ()))
      else Batched.Append_many [| payload () |])

let batches_are_what_their_operations_are () =
  let random = Random.State.make [| 1 |] in
  for _ = 1 to 100 do
    let ops = some_operations random in
    let in_a_batch path =
      let file = File.open_ ~system:quick path in
      let s = Batched.sequential file in
      let cells = Array.map (fun _ -> Cell.make ()) ops in
      Batched.run_batch s (Array.map2 (fun op c -> Batched.Op (op, c)) ops cells);
      let results = Array.map (fun c -> Cell.result c |> Option.get |> Result.get_ok) cells in
      File.close file;
      results
    and one_by_one path =
      let file = File.open_ ~system:quick path in
      let s = Batched.sequential file in
      let results = Array.map (Batched.apply s) ops in
      File.close file;
      results
    in
    let outcome f =
      in_directory (fun path ->
          let results = f path in
          (results, Support.opened path Support.contents))
    in
    if outcome in_a_batch <> outcome one_by_one then Alcotest.fail "different"
  done

let all_operations_of_a_batch () =
  in_directory @@ fun path ->
  let file = File.open_ ~system:quick ~segment_size:10 path in
  let s = Batched.sequential file in
  let append = Cell.make ()
  and many = Cell.make ()
  and sync = Cell.make ()
  and view = Cell.make ()
  and drop = Cell.make () in
  Batched.run_batch s [||];
  Batched.run_batch s
    [|
      Op (View, view);
      Op (Append (File.record "a"), append);
      Op (Sync, sync);
      Op (Append_many [| File.record "b"; File.record "c" |], many);
      Op (Drop_before 0, drop);
    |];
  let get c = Cell.result c |> Option.get |> Result.get_ok in
  Alcotest.(check (pair int (array int))) "positions" (0, [| 25; 50 |]) (get append, get many);
  get sync;
  get drop;
  check_strings "view" [ "c"; "b"; "a" ]
    (Weft_containers.Log_cursor.fold (fun _ s all -> s :: all) (get view) []);
  let close = Cell.make () and append = Cell.make () and late = Cell.make () in
  Batched.run_batch s [| Op (Close, close); Op (Append (File.record "d"), append); Op (Sync, late) |];
  get close;
  ignore (get append : int);
  (match Cell.result late with
  | Some (Error (Batched.Closed _, _)) -> ()
  | _ -> Alcotest.fail "synced a closed log");
  check_strings "contents" [ "a"; "b"; "c"; "d" ] (Support.opened path Support.contents)

(* --- many tasks --- *)

let many_tasks () =
  with_domains @@ fun domains ->
  in_directory @@ fun path ->
  let tasks = 40 and each = 50 in
  let name i k = Printf.sprintf "%d %d" i k in
  let positions =
    opened ~segment_size:5000 path @@ fun log ->
    let task i () = List.init each (fun k -> (Batched.append log (name i k), name i k)) in
    let positions = List.concat (Weft.all (List.init tasks task)) in
    List.iter (fun (p, s) -> if Batched.read log p <> s then Alcotest.failf "%d: no %s" p s) positions;
    let { Batched.records; batches; greatest } = Batched.stats log in
    Alcotest.(check int) "records" (tasks * each) records;
    if batches > records || greatest < 1 || greatest > tasks then
      Alcotest.failf "%d domains: statistics" domains;
    positions
  in
  opened path @@ fun log ->
  Alcotest.(check int) "length" (tasks * each) (Batched.length log);
  let found = List.rev (Batched.fold (fun p s all -> (p, s) :: all) log []) in
  if found <> List.sort compare positions then Alcotest.fail "not all is there";
  (* The records of one task are in its order. *)
  for i = 0 to tasks - 1 do
    let own =
      List.filter (fun s -> String.starts_with ~prefix:(string_of_int i ^ " ") s) (List.map snd found)
    in
    check_strings "one task's" (List.init each (name i)) own
  done

let many_threads () =
  in_directory @@ fun path ->
  opened path @@ fun log ->
  let thread i =
    Thread.create
      (fun () ->
        List.iter (fun k -> ignore (Batched.append log (Printf.sprintf "%d %d" i k))) (List.init 50 Fun.id))
      ()
  in
  List.iter Thread.join (List.init 5 thread);
  Alcotest.(check int) "all" 250 (List.length (contents log))

(* On this disk each sync waits for permission. *)
let gated () =
  let gate = Semaphore.Counting.make 0 and waiting = Atomic.make 0 and syncs = Atomic.make 0 in
  let sync _ =
    Atomic.incr waiting;
    Semaphore.Counting.acquire gate;
    Atomic.incr syncs
  in
  (gate, waiting, syncs, { quick with sync })

let until f =
  while not (f ()) do
    Weft.sleep 0.001
  done

let permit gate n =
  for _ = 1 to n do
    Semaphore.Counting.release gate
  done

let rec close gate = if Semaphore.Counting.try_acquire gate then close gate

(* There is one domain: a task that waits for the disk must not block it. *)
let workers_go_on_meanwhile () =
  Weft.run ~domains:1 @@ fun () ->
  in_directory @@ fun path ->
  let gate, waiting, _, system = gated () in
  permit gate 100;
  let log = Batched.open_ ~system path in
  close gate;
  let before = Atomic.get waiting in
  let appends = List.init 10 (fun i -> Weft.async (fun () -> Batched.append log (string_of_int i))) in
  until (fun () -> Atomic.get waiting > before);
  Alcotest.(check bool) "not before it is synced" false (List.exists Weft.Promise.is_settled appends);
  Alcotest.(check int) "other tasks" 55 (List.fold_left ( + ) 0 (Weft.all (List.init 11 (fun i () -> i))));
  permit gate 1000;
  List.iter (fun p -> ignore (Weft.await p)) appends;
  Alcotest.(check int) "all" 10 (List.length (contents log));
  Batched.close log

(* Appends that arrive while the disk is busy share the next sync. *)
let appends_gather_while_the_disk_is_busy () =
  with_domains @@ fun _ ->
  in_directory @@ fun path ->
  let gate, waiting, syncs, system = gated () in
  permit gate 100;
  let log = Batched.open_ ~system path in
  close gate;
  let before = Atomic.get waiting in
  let first = Weft.async (fun () -> Batched.append log "first") in
  until (fun () -> Atomic.get waiting > before);
  let calling = Atomic.make 0 in
  let append i () =
    Atomic.incr calling;
    Batched.append log (string_of_int i)
  in
  let others = List.init 100 (fun i -> Weft.async (append i)) in
  until (fun () -> Atomic.get calling = 100);
  (* All but at most one for each domain have lined up: the limits below allow for those of eight. *)
  let done_before = Atomic.get syncs in
  permit gate 1000;
  List.iter (fun p -> ignore (Weft.await p)) (first :: others);
  let { Batched.records; batches; greatest } = Batched.stats log in
  if records <> 101 || batches > 10 || greatest < 50 then
    Alcotest.failf "%d records in %d batches, %d in the greatest" records batches greatest;
  Alcotest.(check int) "one sync for each batch" batches (Atomic.get syncs - done_before);
  Batched.close log

let exec_many_is_one_batch () =
  in_directory @@ fun path ->
  let syncs = Atomic.make 0 in
  let sync _ = Atomic.incr syncs in
  let log = Batched.open_ ~system:{ quick with sync } path in
  let before = Atomic.get syncs in
  let positions =
    Batched.exec_many log (Array.init 100 (fun i -> Batched.Append (File.record (string_of_int i))))
  in
  Alcotest.(check int) "syncs" (before + 1) (Atomic.get syncs);
  let { Batched.records; batches; greatest } = Batched.stats log in
  Alcotest.(check (list int)) "statistics" [ 100; 1; 100 ] [ records; batches; greatest ];
  Array.iteri (fun i p -> Alcotest.(check string) "record" (string_of_int i) (Batched.read log p)) positions;
  Batched.close log

let folds_beside_appends () =
  with_domains @@ fun _ ->
  in_directory @@ fun path ->
  opened ~segment_size:1000 path @@ fun log ->
  for i = 0 to 99 do
    ignore (Batched.append log (string_of_int i))
  done;
  let append () =
    for i = 100 to 299 do
      ignore (Batched.append log (string_of_int i))
    done
  in
  let fold () =
    for _ = 1 to 20 do
      let found = contents log in
      if found <> List.init (List.length found) string_of_int || List.length found < 100 then
        Alcotest.fail "not a beginning"
    done
  in
  let (), () = Weft.par append fold in
  (* The function may use the log. *)
  let n =
    Batched.fold
      (fun _ s n ->
        if n < 10 then ignore (Batched.append log ("again " ^ s));
        n + 1)
      log 0
  in
  Alcotest.(check (pair int int)) "records" (300, 310) (n, Batched.length log)

let tests =
  [
    test "batches are what their operations are" batches_are_what_their_operations_are;
    test "all operations of a batch" all_operations_of_a_batch;
    test "many tasks" many_tasks;
    test "many threads" many_threads;
    test "workers go on meanwhile" workers_go_on_meanwhile;
    test "appends gather while the disk is busy" appends_gather_while_the_disk_is_busy;
    test "exec_many is one batch" exec_many_is_one_batch;
    test "folds beside appends" folds_beside_appends;
  ]
