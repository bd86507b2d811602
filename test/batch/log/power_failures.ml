(* Power failures on a simulated disk: at any call, and again while the log recovers. *)

open Support

(* What a log has been told, over all its openings. *)
type told = {
  mutable appended : string list;  (** the latest first *)
  mutable count : int;
  mutable acknowledged : int;  (** so many of the first must be there *)
  mutable dropped : int;  (** so many of the first need not be there any more *)
  mutable next : int;  (** makes payloads differ *)
}

let payload told random =
  told.next <- told.next + 1;
  let length =
    match Random.State.int random 10 with 0 -> 3000 | 1 -> 0 | _ -> Random.State.int random 200
  in
  Printf.sprintf "%d%s" told.next (String.make length '.')

let append told random log =
  let group = Array.init (Random.State.int random 4) (fun _ -> payload told random) in
  (* Noted before the call: power may fail during it. *)
  told.appended <- List.rev_append (Array.to_list group) told.appended;
  told.count <- told.count + Array.length group;
  ignore (Log.append_many log group)

let drop told random log =
  let records = List.rev (Log.fold (fun p s all -> (p, s) :: all) log []) in
  if records <> [] then begin
    let n = Random.State.int random (List.length records) in
    told.dropped <- told.count - List.length records + n;
    Log.drop_before log (fst (List.nth records n))
  end

let rec drop_first n l = if n = 0 then l else drop_first (n - 1) (List.tl l)

let check_all_is_there told log =
  let found = contents log in
  let n = List.length found in
  if n < told.count - told.dropped || n > told.count || Log.length log <> n then
    Alcotest.failf "%d of %d records, of which %d were dropped" n told.count told.dropped;
  if found <> drop_first (told.count - n) (List.rev told.appended) then Alcotest.fail "not what was appended"

let step told random log =
  match Random.State.int random 12 with
  | 0 | 1 | 2 | 3 ->
      Log.sync log;
      told.acknowledged <- told.count
  | 4 -> if Random.State.int random 4 = 0 then drop told random log
  | 5 -> check_all_is_there told log
  | _ -> append told random log

(* The log must contain a run of what was told, with all that must be there, and whole groups. From now on
   that run counts as all that was told. *)
let check told log =
  let found = contents log in
  let all = List.rev told.appended in
  let rec skip n l =
    match (l, found) with
    | l, [] -> (n, l)
    | a :: _, b :: _ when a = b -> (n, l)
    | _ :: l, _ -> skip (n + 1) l
    | [], _ -> Alcotest.fail "a record that has never been appended"
  in
  let before, rest =
    if found = [] then (told.acknowledged, drop_first told.acknowledged all) else skip 0 all
  in
  let rec follow found rest n =
    match (found, rest) with
    | [], rest -> (n, rest)
    | a :: found, b :: rest when a = b -> follow found rest (n + 1)
    | _ -> Alcotest.fail "not what was appended, or not in this order"
  in
  let stop, lost = follow found rest before in
  if before > told.dropped && found <> [] then
    Alcotest.failf "the first %d are lost, %d were dropped" before told.dropped;
  if found = [] && told.acknowledged > told.dropped then Alcotest.fail "all are lost";
  if stop < told.acknowledged then Alcotest.failf "%d of %d acknowledged records" stop told.acknowledged;
  told.appended <- drop_first (List.length lost) told.appended;
  told.count <- stop;
  told.acknowledged <- stop;
  told.dropped <- min told.dropped stop

let life told random path =
  let disk = Disk.make path in
  Disk.set_calls disk (Random.State.int random 60);
  let use () =
    let log = Log.open_ ~system:(Disk.system disk) ~segment_size:4000 path in
    (try
       check told log;
       for _ = 1 to Random.State.int random 100 do
         step told random log
       done
     with e ->
       (* Closes the log only to release its lock: the disk is off. *)
       (try Log.close log with Disk.Power_off | Log.Failed _ -> ());
       raise e);
    Log.close log;
    told.acknowledged <- told.count
  in
  (try use () with Disk.Power_off | Log.Failed (_, Disk.Power_off) -> ());
  restore path (Disk.after_power_failure disk random)

let nothing_acknowledged_is_lost () =
  for seed = 1 to 100 do
    in_directory @@ fun path ->
    Sys.mkdir path 0o755;
    let random = Random.State.make [| seed |] in
    let told = { appended = []; count = 0; acknowledged = 0; dropped = 0; next = 0 } in
    for life_number = 1 to 15 do
      try life told random path
      with e -> Alcotest.failf "seed %d, life %d: %s" seed life_number (Printexc.to_string e)
    done
  done

let tests = [ test "nothing acknowledged is lost" nothing_acknowledged_is_lost ]
