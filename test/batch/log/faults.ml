(* Each system call fails in turn, in each way: acknowledged records stay, refused ones are not there, and
   a log that could not be synced says so from then on. *)

open Support
module System = Weft_containers.Log_system

type fault =
  | Error of Unix.error  (** the call fails and does nothing *)
  | Half of Unix.error
      (** a write does half of its work, and the next one fails; other calls do their work and fail *)
  | Short  (** a write does half of its work *)
  | Nothing  (** a write does nothing *)

type faults = {
  mutable calls : int;
  mutable cutting_failed : bool;  (** a [truncate] has failed *)
  mutable syncing_failed : bool;
  at : int;  (** the call that fails, from 1 *)
  once : bool;  (** only that call, or all from it on *)
  fault : fault;
}

(* The system with this fault. Closing does not count: its result is ignored. *)
let faulty s : System.t =
  let real = quick in
  let due () =
    s.calls <- s.calls + 1;
    s.calls = s.at || ((not s.once) && s.calls > s.at)
  in
  let fail error name = raise (Unix.Unix_error (error, name, "injected")) in
  let call name ?(failed = ignore) ?(undo = ignore) f =
    if not (due ()) then f ()
    else
      match s.fault with
      | Error EINTR -> fail EINTR name
      | Error e ->
          failed ();
          fail e name
      | Half e ->
          undo (f ());
          failed ();
          fail e name
      | Short | Nothing -> f ()
  in
  let half_written = ref None in
  {
    openfile = (fun path flags perm -> call "open" ~undo:real.close (fun () -> real.openfile path flags perm));
    size = real.size;
    read =
      (fun fd ~at b from length ->
        call "read" (fun () -> real.read fd ~at b from (if s.fault = Short then min 7 length else length)));
    write =
      (fun fd ~at b from length ->
        match !half_written with
        | Some e ->
            half_written := None;
            fail e "write"
        | None -> (
            if not (due ()) then real.write fd ~at b from length
            else
              match s.fault with
              | Error e -> fail e "write"
              | Half e when length > 1 ->
                  half_written := Some e;
                  real.write fd ~at b from (length / 2)
              | Half e -> fail e "write"
              | Short -> real.write fd ~at b from (max 1 (length / 2))
              | Nothing -> 0));
    truncate =
      (fun fd size ->
        call "truncate" ~failed:(fun () -> s.cutting_failed <- true) (fun () -> real.truncate fd size));
    sync = (fun fd -> call "sync" ~failed:(fun () -> s.syncing_failed <- true) (fun () -> real.sync fd));
    close = real.close;
    unlink = (fun path -> call "unlink" (fun () -> real.unlink path));
  }

let is_injected = function
  | Unix.Unix_error (_, _, "injected") | Unix.Unix_error (EIO, "write", "nothing was written") -> true
  | _ -> false

type outcome = { acknowledged : string list; written : string list; refused : string list }
(** In order; [written] are records that were appended, but not synced. *)

(* Appends groups, and syncs now and then; goes on after failures. *)
let use log =
  let acknowledged = ref [] and written = ref [] and refused = ref [] and broken = ref false in
  let fails = function Log.Failed _ -> broken := true | e -> if not (is_injected e) then raise e in
  for i = 1 to 40 do
    let group = Array.init (i mod 4) (fun k -> Printf.sprintf "%d.%d%s" i k (String.make (i * k) '-')) in
    let was_broken = !broken in
    (match Log.append_many log group with
    | _ ->
        if was_broken && group <> [||] then Alcotest.fail "appended after a failed sync";
        written := List.rev_append (Array.to_list group) !written
    | exception e ->
        fails e;
        refused := List.rev_append (Array.to_list group) !refused);
    if i mod 3 = 0 then
      match Log.sync log with
      | () ->
          if was_broken then Alcotest.fail "synced after a failed sync";
          acknowledged := !written @ !acknowledged;
          written := []
      | exception e -> fails e
  done;
  { acknowledged = List.rev !acknowledged; written = List.rev !written; refused = List.rev !refused }

let rec is_prefix a b =
  match (a, b) with [], _ -> true | x :: a, y :: b -> x = y && is_prefix a b | _ :: _, [] -> false

let check_outcome what s { acknowledged; written; refused } found =
  let expected = acknowledged @ written in
  if s.syncing_failed then begin
    if not (is_prefix acknowledged found) then Alcotest.failf "%s: acknowledged records are lost" what
  end
  else if not (is_prefix expected found) then Alcotest.failf "%s: appended records are lost" what;
  if not s.cutting_failed then begin
    if not (is_prefix found expected) then Alcotest.failf "%s: there is more than was appended" what;
    List.iter
      (fun r -> if List.mem r found then Alcotest.failf "%s: %s was refused and is there" what r)
      refused
  end

let descriptors () =
  let all = "/proc/self/fd" in
  if Sys.file_exists all then Array.length (Sys.readdir all) else 0

(* One run; returns whether the fault occurred. *)
let run ~once ?(before = [ "before" ]) fault at =
  in_directory @@ fun path ->
  let open_files = descriptors () in
  if before <> [] then opened path (fun log -> List.iter (fun s -> ignore (Log.append log s)) before);
  let s = { calls = 0; at; once; fault; cutting_failed = false; syncing_failed = false } in
  let what = Printf.sprintf "call %d" at in
  let harmless = match fault with Error EINTR | Short -> once | _ -> false in
  (match Log.open_ ~system:(faulty s) ~segment_size:200 path with
  | exception e when is_injected e && not harmless -> ()
  | log ->
      let outcome = use log in
      if harmless && outcome.refused <> [] then Alcotest.failf "%s: refused, harmless as it is" what;
      (match Log.close log with
      | () -> ()
      | exception Log.Failed _ when not harmless -> ()
      | exception e when is_injected e && not harmless -> ());
      let found = opened path contents in
      check_outcome what s { outcome with acknowledged = before @ outcome.acknowledged } found);
  opened path (fun log ->
      let had = contents log in
      ignore (Log.append log "after");
      check_strings what (had @ [ "after" ]) (contents log));
  Alcotest.(check int) (what ^ ": open files") open_files (descriptors ());
  s.calls >= at

let at_each_call ~once fault () =
  let rec go ?before at = if run ~once ?before fault at then go ?before (at + 1) else at in
  ignore (go ~before:[] 1);
  let calls = go 1 in
  if once && calls < 60 then Alcotest.failf "only %d calls" calls

let once name fault = test (name ^ ", once") (at_each_call ~once:true fault)

let for_ever name fault =
  test (name ^ ", from then on") (fun () ->
      List.iter (fun at -> ignore (run ~once:false fault at)) (List.init 120 succ))

(* A second [fsync] would report success. *)
let failed_syncs_are_final () =
  in_directory @@ fun path ->
  let fails = ref false and syncs = ref 0 in
  let sync _ =
    incr syncs;
    if !fails then begin
      fails := false;
      raise (Unix.Unix_error (EIO, "fsync", ""))
    end
  in
  let log = Log.open_ ~system:{ quick with sync } path in
  ignore (Log.append log "good");
  Log.sync log;
  ignore (Log.append log "bad");
  fails := true;
  let failed f =
    match f () with _ -> false | exception Log.Failed (p, Unix.Unix_error (EIO, "fsync", "")) -> p = path
  in
  let before = !syncs in
  let check what f = Alcotest.(check bool) what true (failed f) in
  check "sync" (fun () -> Log.sync log);
  check "sync again" (fun () -> Log.sync log);
  check "append" (fun () -> ignore (Log.append log "x"));
  check "drop" (fun () -> Log.drop_before log 0);
  check_strings "can be read" [ "good"; "bad" ] (contents log);
  Log.close log;
  Alcotest.(check int) "one call" (before + 1) !syncs

(* A process that could not sync may have left data only in the system's memory: the next one writes them
   once more before it takes them for synced. *)
let what_may_not_be_on_the_disk_is_written_again () =
  in_directory @@ fun path ->
  let files =
    killed path (fun log ->
        ignore (Log.append log "synced");
        Log.sync log;
        ignore (Log.append log "known to be synced");
        Log.sync log;
        ignore (Log.append log "unknown");
        ignore (Log.append log "too"))
  in
  restore path files;
  let calls = ref [] in
  let system =
    {
      quick with
      write =
        (fun fd ~at b from length ->
          calls := `Write (at, Bytes.sub_string b from length) :: !calls;
          quick.write fd ~at b from length);
      sync = (fun _ -> calls := `Sync :: !calls);
    }
  in
  let log = Log.open_ ~system path in
  let text = snd (last files) in
  let from = 64 + 24 + 6 + 24 + 18 in
  Alcotest.(check bool)
    "written, then synced" true
    (List.rev !calls = [ `Write (from, String.sub text from (String.length text - from)); `Sync ]);
  Log.close log

let tests =
  [
    once "interrupted" (Error EINTR);
    once "short" Short;
    once "no space" (Error ENOSPC);
    once "broken disk" (Error EIO);
    once "no space half-way" (Half ENOSPC);
    once "broken half-way" (Half EIO);
    once "nothing written" Nothing;
    for_ever "no space" (Error ENOSPC);
    for_ever "broken half-way" (Half EIO);
    for_ever "short" Short;
    test "failed syncs are final" failed_syncs_are_final;
    test "what may not be on the disk is written again" what_may_not_be_on_the_disk_is_written_again;
  ]
