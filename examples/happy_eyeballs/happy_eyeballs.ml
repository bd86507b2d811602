(* happy_eyeballs ENDPOINT...: connects to whichever endpoint answers first. The race is in race.ml; this
   file reads the command line and reports what happened. *)

open Eyeballs
open Console

(* The exit codes; [--help] explains them. *)
let connected = 0
let all_failed = 1
let cannot_print = 2
let timed_out = 3
let complain format = Command_line.complain "happy_eyeballs" format

type options = { stagger : float; timeout : float; verbose : bool; domains : int option }

(** {1 The race} *)

let reason = function
  | Simulated.Refused -> "refused"
  | Unix.Unix_error (error, _, _) -> Unix.error_message error
  | Not_found -> "no such host or port"
  | exn -> Printexc.to_string exn

(* Reports on standard error what happens to an attempt. *)
let traced ~since (attempt : _ Race.attempt) =
  let trace what =
    Printf.eprintf "%6.0f ms  %s: %s\n%!" ((Weft.now () -. since) *. 1000.) (Printable.name attempt.name) what
  in
  let connect () =
    trace "starts";
    match attempt.connect () with
    | connection ->
        trace "connected";
        connection
    | exception exn ->
        let backtrace = Printexc.get_raw_backtrace () in
        trace (match Weft.Cancel.check () with () -> reason exn | exception _ -> "cancelled");
        Printexc.raise_with_backtrace exn backtrace
  in
  { attempt with connect }

(* The exit code. *)
let race { stagger; timeout; verbose; domains } ~close attempts =
  let start = Weft.now () in
  let seconds () = Weft.now () -. start in
  let result () =
    Weft.Cancel.with_timeout timeout (fun () ->
        let attempts = attempts () in
        let attempts = if verbose then List.map (traced ~since:start) attempts else attempts in
        Race.run ~stagger ~close attempts)
  in
  match Weft.run ?domains result with
  | Ok (name, connection) -> (
      let seconds = seconds () in
      (* A real program would use the connection now. *)
      close connection;
      let print () = Printf.printf "connected to %s after %.3f s\n" (Printable.name name) seconds in
      match Command_line.print print with
      | Ok () -> connected
      | Error message ->
          complain "cannot write the result: %s" message;
          cannot_print)
  | Error failures ->
      List.iter (fun (name, exn) -> complain "%s: %s" (Printable.name name) (reason exn)) failures;
      all_failed
  | exception Weft.Cancel.Timeout ->
      complain "no connection within %g s" timeout;
      timed_out

let race_simulated options endpoints =
  let attempt (endpoint : Simulated.t) =
    { Race.name = endpoint.name; connect = (fun () -> Simulated.connect endpoint) }
  in
  race options ~close:ignore (fun () -> List.map attempt endpoints)

let race_tcp options endpoints =
  let attempt address = { Race.name = Tcp.name address; connect = (fun () -> Tcp.connect address) } in
  let attempts (endpoint : Tcp.endpoint) =
    match Tcp.addresses endpoint with
    | [] -> [ { Race.name = endpoint.host ^ ":" ^ endpoint.port; connect = (fun () -> raise Not_found) } ]
    | addresses -> List.map attempt addresses
  in
  race options ~close:Weft_unix.close (fun () -> List.concat_map attempts endpoints)

(** {1 The command line} *)

open Cmdliner

let rec all_of_strings of_string = function
  | [] -> Ok []
  | text :: rest -> (
      match of_string text with
      | Error _ as wrong -> wrong
      | Ok endpoint -> Result.map (List.cons endpoint) (all_of_strings of_string rest))

let run tcp endpoints options =
  if tcp then Result.map (race_tcp options) (all_of_strings Tcp.endpoint_of_string endpoints)
  else Result.map (race_simulated options) (all_of_strings Simulated.of_string endpoints)

let endpoints =
  let doc =
    "Where to connect to: $(i,NAME:SECONDS:ok) is an endpoint that answers after so many seconds, \
     $(i,NAME:SECONDS:fail) one that refuses then. With $(b,--tcp), $(i,HOST:PORT) or $(i,[HOST]:PORT); a \
     host with several addresses is as many endpoints."
  in
  Arg.(non_empty & pos_all string [] & info [] ~docv:"ENDPOINT" ~doc)

let tcp = Arg.(value & flag & info [ "tcp" ] ~doc:"Make real TCP connections. The winner is closed at once.")

let options =
  let stagger =
    let doc = "Start the next attempt when the last one has had $(docv), or when one fails." in
    Arg.(value & opt Command_line.seconds 0.25 & info [ "stagger" ] ~docv:"SECONDS" ~doc)
  and timeout =
    let doc = "Give up after $(docv)." in
    Arg.(value & opt Command_line.seconds 5. & info [ "timeout" ] ~docv:"SECONDS" ~doc)
  and verbose =
    let doc = "Say on standard error when an attempt starts and how it ends." in
    Arg.(value & flag & info [ "v"; "verbose" ] ~doc)
  in
  let gather stagger timeout verbose domains = { stagger; timeout; verbose; domains } in
  Term.(const gather $ stagger $ timeout $ verbose $ Command_line.domains)

let command =
  let man =
    [
      `S Manpage.s_description;
      `P
        "Connects to whichever $(i,ENDPOINT) answers first, in the way of RFC 8305: attempts start one after \
         the other, in the order given, and run at the same time; the first connection wins, the other \
         attempts are cancelled, and when the program says who has won, nothing else is open.";
    ]
  and exits =
    Cmd.Exit.
      [
        info connected ~doc:"if there was a connection.";
        info all_failed ~doc:"if all attempts failed; standard error names each.";
        info cannot_print ~doc:"if the result could not be written.";
        info timed_out ~doc:"if there was no connection in time.";
        info Cmd.Exit.cli_error ~doc:"if the command line is wrong.";
        info Cmd.Exit.internal_error ~doc:"on an unexpected error, which is a bug.";
      ]
  in
  Cmd.v
    (Cmd.info "happy_eyeballs" ~doc:"connect to whoever answers first" ~man ~exits)
    Term.(term_result' ~usage:true (const run $ tcp $ endpoints $ options))

let () = exit (Cmd.eval' command)
