(* ledger DIR: accounts whose transfers survive power failures and kills. Many tasks make transfers; each
   is written to a log, and counts only once it is on the disk. Only the log is on the disk: when the
   program starts, it books the log's transfers. Kill the program whenever you like. *)

open Bank
open Console
module Log = Weft_batch.Log

(* The exit codes; [--help] explains them. *)
let all_is_well = 0
let cannot_do = 2
let differs = 3
let complain format = Command_line.complain "ledger" format

(** {1 The ledger} *)

exception Not_a_ledger of string

(* Books the transfers of the log. *)
let replay log ~accounts =
  let balances = Accounts.make accounts in
  let book position record =
    let booked =
      match Transfer.of_string record with
      | Some transfer -> Accounts.book balances transfer
      | None -> Error "no transfer"
    in
    match booked with
    | Ok () -> ()
    | Error what -> raise (Not_a_ledger (Printf.sprintf "record at position %d: %s" position what))
  in
  Log.iter book log;
  balances

(* First on the disk, then in memory: so nobody sees a balance that a power failure could undo. *)
let make_transfer log balances transfer =
  ignore (Log.append log (Transfer.to_string transfer) : Log.position);
  match Accounts.book balances transfer with Ok () -> () | Error what -> raise (Not_a_ledger what)

(* Runs [tasks] tasks at the same time, which make [transfers] in all. *)
let make_transfers log balances ~accounts ~tasks ~transfers =
  let task i () =
    let random = Random.State.make [| i; Log.length log |] in
    for _ = 1 to (transfers / tasks) + if i < transfers mod tasks then 1 else 0 do
      make_transfer log balances (Transfer.random random ~accounts)
    done
  in
  ignore (Weft.all (List.init tasks task) : unit list)

(** {1 The program} *)

type report = {
  recovery : Weft_containers.Log_file.recovery;
  stats : Log.stats;
  seconds : float;
  agree : bool;  (** the balances in memory are those of the log, and no money was made or lost *)
}

let use log ~accounts ~tasks ~transfers =
  let balances = replay log ~accounts in
  let start = Weft.now () in
  make_transfers log balances ~accounts ~tasks ~transfers;
  let seconds = Weft.now () -. start in
  let agree = Accounts.sum balances = 0 && Accounts.equal balances (replay log ~accounts) in
  { recovery = Log.recovery log; stats = Log.stats log; seconds; agree }

let print ~tasks { recovery = { records; cut }; stats = { records = made; batches; _ }; seconds; _ } =
  let print_cut ({ file; bytes; _ } : Weft_containers.Log_file.cut) =
    Printf.printf "cut off %s that nobody was told of, at the end of %s\n" (Printable.counted bytes "byte")
      (Printable.name (Filename.basename file))
  in
  Printf.printf "recovered %s\n" (Printable.counted records "transfer");
  Option.iter print_cut cut;
  if made > 0 then
    Printf.printf "made %s in %.2f s, %s at a time: %.0f a second, %.1f for each fsync\n"
      (Printable.counted made "transfer") seconds (Printable.counted tasks "task")
      (float_of_int made /. seconds)
      (float_of_int made /. float_of_int batches);
  Printf.printf "the balances are those of the log, and their sum is 0\n"

let message directory = function
  | Unix.Unix_error (error, _, _) -> Printable.name directory ^ ": " ^ Unix.error_message error
  | e -> Printexc.to_string e

let run directory accounts tasks transfers domains =
  match
    Weft.run ?domains (fun () ->
        let log = Log.open_ directory in
        match use log ~accounts ~tasks ~transfers with
        | report ->
            Log.close log;
            report
        | exception e ->
            (* The log has already reported that it could not sync. *)
            (try Log.close log with Log.Failed _ -> ());
            raise e)
  with
  | exception ((Log.Damaged _ | Log.Locked _ | Log.Failed _ | Unix.Unix_error _ | Sys_error _) as e) ->
      complain "%s" (message directory e);
      cannot_do
  | exception Not_a_ledger what ->
      complain "%s: %s" (Printable.name directory) what;
      cannot_do
  | { agree = false; _ } ->
      complain "the balances are not those of the log; this is a bug";
      differs
  | report -> (
      match Command_line.print (fun () -> print ~tasks report) with
      | Ok () -> all_is_well
      | Error message ->
          complain "cannot write the result: %s" message;
          cannot_do)

(** {1 The command line} *)

open Cmdliner

let command =
  let number ~default ~low name doc =
    Arg.(value & opt (Command_line.at_least low) default & info [ name ] ~docv:"N" ~doc)
  in
  let directory =
    let doc = "Where the log is; it is made if it is not there." in
    Arg.(required & pos 0 (some string) None & info [] ~docv:"DIR" ~doc)
  and accounts = number ~default:20 ~low:2 "accounts" "There are $(docv) accounts."
  and tasks = number ~default:100 ~low:1 "tasks" "$(docv) tasks make transfers at the same time."
  and transfers = number ~default:2000 ~low:0 "transfers" "Make $(docv) transfers in all."
  and man =
    [
      `S Manpage.s_description;
      `P
        "Makes transfers between accounts, at random. Each is a record of a log, and is made when it is on \
         the disk; those that are made at the same time share an fsync. When the program starts, it finds \
         the balances by reading the log: kill it at any time, and no transfer that was made is missing.";
      `P "At the end it reads the log again and compares.";
    ]
  and exits =
    Cmd.Exit.
      [
        info all_is_well ~doc:"if all transfers were made.";
        info cannot_do
          ~doc:
            "if the log cannot be used ($(i,DIR) cannot be made, another process has it open, it is damaged \
             or no ledger, the disk is full), or the result could not be written.";
        info differs ~doc:"if what was booked is not what the log says.";
        info Cmd.Exit.cli_error ~doc:"if the command line is wrong.";
        info Cmd.Exit.internal_error ~doc:"on an unexpected error, which is a bug.";
      ]
  in
  Cmd.v
    (Cmd.info "ledger" ~doc:"make transfers that survive any crash" ~man ~exits)
    Term.(const run $ directory $ accounts $ tasks $ transfers $ Command_line.domains)

let () = exit (Cmd.eval' command)
