open Kit

let batch_counter = Weft_batch.Counter.create ()
let batch_total = Atomic.make 0

let counter st =
  let k = 1 + ri st 40 in
  ignore
    (Weft.all
       (List.init k (fun _ ->
            let st = split () in
            fun () ->
              for _ = 1 to 10 do
                ignore
                  (maybe_cancel st (fun () ->
                       Weft_batch.Counter.add batch_counter 1;
                       Atomic.incr batch_total;
                       did 1));
                if ri st 8 = 0 then Weft.yield ()
              done)));
  ()

let no_addition_is_lost () =
  check "batched additions" (Weft_batch.Counter.get batch_counter >= Atomic.get batch_total)

module type MAP = sig
  include Weft_batch.MAP with type key = int

  val make : unit -> 'v t
end

let maps : (string * (module MAP)) list =
  [
    ("avl", (module Weft_batch.Avl.Make (Int)));
    ("red_black", (module Weft_batch.Red_black.Make (Int)));
    ("treap", (module Weft_batch.Treap.Make (Int)));
    ("b_tree", (module Weft_batch.B_tree.Make (Int)));
    ("skip_list", (module Weft_batch.Skip_list.Make (Int)));
    ("hash_table", (module Weft_batch.Hash_table.Make (Int)));
  ]

(* Each task has keys of its own, and knows what they are bound to, unless it was cancelled meanwhile. *)
let map st =
  let name, (module Map) = List.nth maps (ri st (List.length maps)) in
  let t = Map.make () in
  let task owner st () =
    let keys = 20 in
    let known = Array.make keys (Some None) in
    let agrees k found = match known.(k) with None -> true | Some bound -> bound = found in
    for step = 1 to 60 do
      let k = ri st keys in
      let key = (owner * keys) + k in
      let holds, now =
        match ri st 4 with
        | 0 -> (true, Option.map (fun () -> Some step) (maybe_cancel st (fun () -> Map.add t key step)))
        | 1 -> (
            match maybe_cancel st (fun () -> Map.remove t key) with
            | None -> (true, None)
            | Some was -> (known.(k) = None || agrees k None <> was, Some None))
        | 2 -> (
            match maybe_cancel st (fun () -> Map.update t key (fun _ -> raise (Boom 9))) with
            | None -> (true, known.(k))
            | Some _ -> (false, None)
            | exception Boom 9 -> (true, known.(k)))
        | _ -> (
            match maybe_cancel st (fun () -> Map.find_opt t key) with
            | None -> (true, known.(k))
            | Some found -> (agrees k found, Some found))
      in
      if not holds then check (Printf.sprintf "%s, key %d, step %d" name key step) false;
      known.(k) <- now;
      did 1
    done;
    for k = 0 to keys - 1 do
      if not (agrees k (Map.find_opt t ((owner * keys) + k))) then check (name ^ " at the end") false
    done
  in
  ignore (Weft.all (List.init (1 + ri st 12) (fun owner -> task owner (split ()))));
  check (name ^ ": its length") (Map.length t = Map.fold (fun _ _ n -> n + 1) t 0)

module Priorities = Weft_batch.Priority_queue.Make (Int)

let priorities st =
  let t = Priorities.create () in
  let pushed = Atomic.make 0 and popped = Atomic.make 0 in
  let pop () = Option.iter (fun (_, n) -> ignore (Atomic.fetch_and_add popped n)) (Priorities.pop_min t) in
  let task st () =
    for _ = 1 to 30 do
      if ri st 2 = 0 then pop ()
      else begin
        let n = ri st 1000 in
        Priorities.push t (ri st 100) n;
        ignore (Atomic.fetch_and_add pushed n)
      end;
      did 1
    done
  in
  ignore (Weft.all (List.init (1 + ri st 12) (fun _ -> task (split ()))));
  while Priorities.length t > 0 do
    pop ()
  done;
  check "priorities" (Atomic.get pushed = Atomic.get popped)

let datalog st =
  let open struct
    include Weft_containers.Datalog

    let check = Kit.check
  end in
  let db = Weft_batch.Datalog.of_string "path(X, Y) :- edge(X, Y). path(X, Z) :- edge(X, Y), path(Y, Z)." in
  let n = 1 + ri st 15 in
  let add i () =
    let edge = fact "edge" [ Int i; Int (i + 1) ] in
    check "a new fact" (Weft_batch.Datalog.assert_fact db edge);
    if i mod 3 = 0 then begin
      check "a fact that goes" (Weft_batch.Datalog.retract db edge);
      check "a fact that comes back" (Weft_batch.Datalog.assert_fact db edge)
    end;
    did 1
  in
  ignore (Weft.all (List.init n add));
  check "datalog" (Weft_batch.Datalog.count db (parse_query "path(X, Y)") = n * (n + 1) / 2)

(* --- the log, on a disk that may be full --- *)

module Log_file = Weft_containers.Log_file
module System = Weft_containers.Log_system

let small_disk = ref None

(* Without a disk that is full: some writes do half of their work, some find no room, and seldom the disk
   cannot sync. *)
let failing st =
  let fails name error n = if ri st n = 0 then raise (Unix.Unix_error (error, name, "injected")) in
  let write fd ~at b from length =
    fails "write" Unix.ENOSPC 20;
    System.real.write fd ~at b from (if ri st 10 = 0 then (length + 1) / 2 else length)
  in
  let sync _ = fails "sync" Unix.EIO 200 in
  { System.real with write; sync }

(* What was acknowledged is there; what was refused is not. *)
let check_log folder acknowledged refused =
  let log = Log_file.open_ ~system:{ System.real with sync = ignore } folder in
  let there = Hashtbl.create 100 in
  let add _ record = Hashtbl.replace there (Scanf.sscanf record "%d " Fun.id) () in
  Fun.protect ~finally:(fun () -> Log_file.close log) (fun () -> Log_file.iter add log);
  let each what held n =
    if Hashtbl.mem there n <> held then check (Printf.sprintf "record %d: %s" n what) false
  in
  List.iter (each "lost" true) acknowledged;
  List.iter (each "was refused" false) refused

let log_in folder st =
  let system = if Option.is_some !small_disk then System.real else failing (split ()) in
  let log = Weft_batch.Log.open_ ~system ~segment_size:10_000 folder in
  let append owner st i =
    did 1;
    let n = (100 * owner) + i in
    let record = Printf.sprintf "%d %s" n (String.make (ri st 2000) 'x') in
    match maybe_cancel st (fun () -> Weft_batch.Log.append log record) with
    | Some _ -> (n, `Acknowledged)
    | None | (exception Log_file.Failed _) -> (n, `Unknown)
    | exception Unix.Unix_error (ENOSPC, _, _) -> (n, `Refused)
  in
  let task owner st () = List.init 20 (append owner st) in
  let close () =
    try Weft_batch.Log.close log with Log_file.Failed _ | Unix.Unix_error ((ENOSPC | EIO), _, _) -> ()
  in
  (* An append whose sync fails raises: then, too, the log has to be closed. *)
  let append_all () = Weft.all (List.init (1 + ri st 8) (fun owner -> task owner (split ()))) in
  let outcomes = List.concat (Fun.protect ~finally:close append_all) in
  let those kind = List.filter_map (fun (n, k) -> if k = kind then Some n else None) outcomes in
  Weft.blocking (fun () -> check_log folder (those `Acknowledged) (those `Refused))

let log st =
  let run folder =
    (* No room to begin, or to open it again; or it cannot be synced. *)
    try log_in folder st with Unix.Unix_error ((ENOSPC | EIO), _, _) | Log_file.Failed _ -> ()
  in
  Testing.Folder.within ?temp_dir:!small_disk "stress-log" run

let all =
  [ ("counter", counter); ("map", map); ("priorities", priorities); ("datalog", datalog); ("log", log) ]
