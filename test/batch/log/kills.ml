(* A process that appends from many tasks is killed, again and again, at any moment. *)

open Support

(* The child's code is in kill_subject.ml. *)
let record i n = Printf.sprintf "%d %d" i n
let padding n = String.make (if n mod 50 = 49 then 9000 else n * 31 mod 200) '.'

type child = { pid : int; output : Unix.file_descr; said : Buffer.t }

let start path ~tasks ~domains =
  let output, theirs = Unix.pipe ~cloexec:true () in
  let env = Array.append [| Printf.sprintf "WEFT_DOMAINS=%d" domains |] (Unix.environment ()) in
  let arguments = [| "kill_subject"; "append"; path; string_of_int tasks |] in
  let pid = Unix.create_process_env "./kill_subject.exe" arguments env Unix.stdin theirs Unix.stderr in
  Unix.close theirs;
  { pid; output; said = Buffer.create 1000 }

(* Reads the child's output until it has ended, until [deadline], or until [enough]; returns whether it has
   ended. *)
let rec hear ?deadline ?(enough = Fun.const false) child =
  if enough child.said then false
  else
    let left = Option.map (fun time -> Float.max 0. (time -. Unix.gettimeofday ())) deadline in
    match
      let readable, _, _ = Unix.select [ child.output ] [] [] (Option.value left ~default:(-1.)) in
      readable
    with
    | [] -> false
    | _ -> (
        let b = Bytes.create 65536 in
        match Unix.read child.output b 0 65536 with
        | 0 -> true
        | n ->
            Buffer.add_subbytes child.said b 0 n;
            hear ?deadline ~enough child)

(* The whole lines of its output at the end. *)
let kill child =
  Unix.kill child.pid Sys.sigkill;
  ignore (hear child : bool);
  Unix.close child.output;
  let _, status = Unix.waitpid [] child.pid in
  if status <> WSIGNALED Sys.sigkill then Alcotest.fail "the child ended by itself";
  let text = Buffer.contents child.said in
  if text <> "" && not (String.ends_with ~suffix:"\n" text) then Alcotest.failf "half a line: %S" text;
  List.filter (fun l -> l <> "" && l <> "open") (String.split_on_char '\n' text)

(* The task and number of each record, in the order of the log. Checks that records and groups are whole. *)
let parse found =
  let rec go parsed = function
    | [] -> List.rev parsed
    | s :: rest -> (
        let i, n = Scanf.sscanf s "%d %d" (fun i n -> (i, n)) in
        if s <> record i n ^ padding n then Alcotest.failf "not a record that was appended: %S" s;
        match rest with
        | second :: rest when n mod 7 = 6 ->
            if second <> record i n ^ "b" then Alcotest.failf "the second of a group: %S" second;
            go ((i, n) :: parsed) rest
        | [] when n mod 7 = 6 -> Alcotest.fail "half a group"
        | rest -> go ((i, n) :: parsed) rest)
  in
  go [] found

let check path acknowledged =
  let there = opened ~system:Weft_containers.Log_system.real path (fun log -> parse (contents log)) in
  let table = Hashtbl.create 1000 in
  let add (i, n) =
    (match Hashtbl.find_opt table i with
    | Some last when last >= n -> Alcotest.failf "task %d: %d after %d" i n last
    | _ -> ());
    Hashtbl.replace table i n;
    Hashtbl.replace table (-1 - i - (1000 * n)) n
  in
  List.iter add there;
  let is_there line = Scanf.sscanf line "%d %d" (fun i n -> Hashtbl.mem table (-1 - i - (1000 * n))) in
  List.iter
    (fun line -> if not (is_there line) then Alcotest.failf "%s was acknowledged and is lost" line)
    acknowledged

(* The records that a child acknowledges before it is killed at some moment, perhaps while it opens the
   log. *)
let one_life random path ~tasks ~domains ~opening =
  let child = start path ~tasks ~domains in
  let hear_for seconds = ignore (hear child ~deadline:(Unix.gettimeofday () +. seconds) : bool) in
  match
    if opening then hear_for (Random.State.float random 0.03)
    else begin
      let at_work said = Buffer.length said > String.length "open\n" in
      if hear child ~enough:at_work then Alcotest.fail "the child has ended and acknowledged nothing";
      hear_for (Random.State.float random 0.1)
    end
  with
  | () -> kill child
  | exception e ->
      Unix.kill child.pid Sys.sigkill;
      raise e

let kill_again_and_again ~times ~tasks ~domains () =
  let random = Random.State.make [| tasks; domains |] in
  in_directory ~on_disk:true @@ fun path ->
  let acknowledged = ref [] in
  for time = 1 to times do
    acknowledged :=
      List.rev_append (one_life random path ~tasks ~domains ~opening:(time mod 4 = 0)) !acknowledged;
    (* The log is not checked each time, so that a child may find it as another child has left it. *)
    if time mod 3 = 0 then check path !acknowledged
  done;
  check path !acknowledged;
  if List.length !acknowledged < times / 2 then Alcotest.failf "only %d records" (List.length !acknowledged)

let killed name ~times ~tasks ~domains = test name (kill_again_and_again ~times ~tasks ~domains)
let times n = Testing.Effort.count ~quick:4 ~usual:n ~long:(5 * n)

let tests =
  [
    killed "one task" ~times:(times 12) ~tasks:1 ~domains:1;
    killed "many tasks" ~times:(times 20) ~tasks:50 ~domains:2;
    killed "many tasks, one domain" ~times:(times 8) ~tasks:50 ~domains:1;
    killed "many tasks, eight domains" ~times:(times 8) ~tasks:200 ~domains:8;
  ]
