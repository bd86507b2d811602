type 'a attempt = { name : string; connect : unit -> 'a }

(* The events for which the race waits. *)
type 'a event = Won of (string * 'a) | Failed of (string * exn) | Too_slow

let run ~stagger ~close attempts =
  (* The attempt that settles [winner] has won: that decides between two that connect at the same time. *)
  let winner = Weft.Promise.create () and failures = Weft.Chan.unbounded () in
  let attempt { name; connect } () =
    match connect () with
    | connection -> if not (Weft.Promise.try_resolve winner (name, connection)) then close connection
    | exception exn ->
        (* A cancelled attempt has lost, and not failed. *)
        Weft.Cancel.check ();
        Weft.Chan.send failures (name, exn)
  in
  let next_event ~is_last =
    let cases =
      [
        Weft.Select.await winner (fun winner -> Won winner);
        Weft.Select.recv failures (fun failure -> Failed failure);
      ]
    in
    Weft.Select.(select (if is_last then cases else timeout stagger (fun () -> Too_slow) :: cases))
  in
  let race scope =
    let rec wait ~running ~failed waiting =
      if running = 0 && waiting = [] then Error (List.rev failed)
      else
        match next_event ~is_last:(waiting = []) with
        | Won winner ->
            Weft.Scope.cancel ~reason:"another connection was faster" scope;
            Ok winner
        | Failed failure -> start_next ~running:(running - 1) ~failed:(failure :: failed) waiting
        | Too_slow -> start_next ~running ~failed waiting
    and start_next ~running ~failed = function
      | [] -> wait ~running ~failed []
      | next :: waiting ->
          Weft.Scope.start scope (attempt next);
          wait ~running:(running + 1) ~failed waiting
    in
    start_next ~running:0 ~failed:[] attempts
  in
  try Weft.Scope.run race
  with exn ->
    let backtrace = Printexc.get_raw_backtrace () in
    (match Weft.Promise.peek winner with Some (Ok (_, connection)) -> close connection | _ -> ());
    Printexc.raise_with_backtrace exn backtrace
