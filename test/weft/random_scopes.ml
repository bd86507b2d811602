open Support
open Scope_programs
module Cancel = Weft.Cancel
module Chan = Weft.Chan
module Oracle = Scope_oracle
module Scope = Weft.Scope

(* Random programs of scopes, tasks, channels and requests to stop. Each program ends as the oracle
   permits. Whatever the outcome, all that has started has ended, and no message is lost or doubled. *)

(* --- running them --- *)

type message = { mutable sender : int; mutable place : int; mutable was_sent : bool; taken : int Atomic.t }

type run = {
  scopes : Scope.t option array;
  over : bool array;  (** scopes whose [run] has ended *)
  inside : int Atomic.t array;  (** tasks of each scope that have begun and not ended *)
  tasks : int Weft.promise option array;
  channels : int Chan.t option array;
  messages : message array;
  endings : Oracle.ending array;
  begun : int Atomic.t array;
  finalised : int Atomic.t array;
  deadlock : bool Atomic.t;
  wrong : string option Atomic.t;
}

let complain r what = ignore (Atomic.compare_and_set r.wrong None (Some what))

type thread = { name : int; mutable sends : int; last : (int * int, int) Hashtbl.t }

let thread name = { name; sends = 0; last = Hashtbl.create 4 }
let reason scope = Printf.sprintf "stop s%d" scope

(* The messages of one sender arrive in the order in which they were sent. *)
let received r me c m =
  let { sender; place; taken; _ } = r.messages.(m) in
  Atomic.incr taken;
  let key = (c, sender) in
  (match Hashtbl.find_opt me.last key with
  | Some before when before >= place -> complain r (Printf.sprintf "message %d was overtaken" m)
  | _ -> ());
  Hashtbl.replace me.last key place

let ending_by r = function
  | Planned n -> Oracle.Failed n
  | Cancel.Cancelled _ -> Cancelled
  | Weft.Deadlock.Deadlock _ ->
      Atomic.set r.deadlock true;
      Cancelled
  | exn ->
      complain r (Printexc.to_string exn);
      Cancelled

let rec execute r me acc code = List.fold_left (fun acc op -> step r me acc op) acc code

and step r me acc op =
  match op with
  | Add n -> mix acc n
  | Spin n ->
      spin n;
      acc
  | Yield ->
      Weft.yield ();
      acc
  | Sleep ->
      Weft.sleep 0.;
      acc
  | Check ->
      Cancel.check ();
      acc
  | Fail n -> raise (Planned n)
  | Send (c, m) -> (
      match r.channels.(c) with
      | None -> acc
      | Some chan -> (
          let message = r.messages.(m) in
          message.sender <- me.name;
          message.place <- me.sends;
          me.sends <- me.sends + 1;
          match Chan.send chan m with
          | () ->
              message.was_sent <- true;
              acc
          | exception Chan.Closed -> mix acc nobody_takes))
  | Recv c -> (
      match r.channels.(c) with
      | None -> acc
      | Some chan -> (
          match Chan.recv chan with
          | m ->
              received r me c m;
              mix acc m
          | exception Chan.Closed -> mix acc nothing_comes))
  | Drain c -> (
      match r.channels.(c) with
      | None -> acc
      | Some chan ->
          let acc = ref acc in
          Chan.iter
            (fun m ->
              received r me c m;
              acc := mix !acc m)
            chan;
          mix !acc all_drained)
  | Close c ->
      Option.iter Chan.close r.channels.(c);
      acc
  | Stop s ->
      Option.iter (Scope.cancel ~reason:(reason s)) r.scopes.(s);
      acc
  | Await t -> ( match r.tasks.(t) with None -> acc | Some task -> mix acc (Weft.await task))
  | Par { left; right; sides = a, b } ->
      let x, y = Weft.par (fun () -> begin_ r left a) (fun () -> begin_ r right b) in
      mix (mix acc x) y
  | Loop codes ->
      let codes = Array.of_list codes in
      let values = Array.make (Array.length codes) 0 in
      let body i = values.(i) <- execute r (thread me.name) 0 codes.(i) in
      (* Short loops and others have code of their own. *)
      let body = if Array.length codes land 1 = 0 then cheap body else body in
      Weft.parallel_for ~start:0 ~finish:(Array.length codes - 1) ~body ();
      Array.fold_left mix acc values
  | Shield code -> Cancel.shield (fun () -> execute r me acc code)
  | Too_late code -> (
      match Cancel.with_timeout 0. (fun () -> execute r me acc code) with
      | acc ->
          complain r "what was too late has run";
          acc
      | exception Cancel.Timeout -> mix acc too_late)
  | In_time code -> Cancel.with_timeout 1000. (fun () -> execute r me acc code)
  | Catch code -> ( try execute r me acc code with Planned n -> mix acc (caught n))
  | Scope { scope; policy; channels; body } -> (
      List.iter
        (fun (c, room) ->
          r.channels.(c) <- Some (if room = max_int then Chan.unbounded () else Chan.bounded room))
        channels;
      match
        Scope.run ~on_failure:policy (fun s ->
            r.scopes.(scope) <- Some s;
            try execute r me acc body
            with Weft.Deadlock.Deadlock _ as exn ->
              (* An exception of a task may end the wait first. *)
              Atomic.set r.deadlock true;
              raise exn)
      with
      | acc ->
          scope_over r scope;
          acc
      | exception Cancel.Cancelled why when why = reason scope ->
          scope_over r scope;
          mix acc stopped
      | exception exn ->
          scope_over r scope;
          raise exn)
  | Start { task; scope; code } ->
      let run () =
        Atomic.incr r.inside.(scope);
        if r.over.(scope) then complain r "a task begins after its scope";
        Fun.protect ~finally:(fun () -> Atomic.decr r.inside.(scope)) (fun () -> begin_ r task code)
      in
      let start s =
        match Scope.async s run with
        | p ->
            r.tasks.(task) <- Some p;
            acc
        | exception Invalid_argument _ -> mix acc closed
      in
      Option.fold ~none:acc ~some:start r.scopes.(scope)

(* A thread of the program. *)
and begin_ r name code =
  Atomic.incr r.begun.(name);
  Fun.protect ~finally:(fun () -> Atomic.incr r.finalised.(name)) @@ fun () ->
  match execute r (thread name) 0 code with
  | n ->
      r.endings.(name) <- Returned n;
      n
  | exception exn ->
      r.endings.(name) <- ending_by r exn;
      raise exn

and scope_over r scope =
  r.over.(scope) <- true;
  if Atomic.get r.inside.(scope) <> 0 then complain r (Printf.sprintf "s%d has ended before its tasks" scope)

(* Messages that are left in the channels were sent, too. *)
let check_messages r =
  let rec drain chan =
    match Chan.recv_poll chan with
    | Some m ->
        Atomic.incr r.messages.(m).taken;
        drain chan
    | None -> ()
  in
  Array.iter (Option.iter drain) r.channels;
  let check_message m { was_sent; taken; _ } =
    let taken = Atomic.get taken in
    if taken <> Bool.to_int was_sent then
      complain r (Printf.sprintf "message %d: sent: %b, received: %d" m was_sent taken)
  in
  Array.iteri check_message r.messages

let check_finalisers r =
  let check_thread t begun =
    if Atomic.get begun <> Atomic.get r.finalised.(t) then complain r (Printf.sprintf "t%d has not ended" t)
  in
  Array.iteri check_thread r.begun

(* The program's outcome in the pool; [None]: a deadlock. *)
let outcome_in pool code =
  let threads, scopes, channels, messages = names_in code in
  let counters n = Array.init n (fun _ -> Atomic.make 0) in
  let r =
    {
      scopes = Array.make scopes None;
      over = Array.make scopes false;
      inside = counters scopes;
      tasks = Array.make threads None;
      channels = Array.make channels None;
      messages =
        Array.init messages (fun _ -> { sender = 0; place = 0; was_sent = false; taken = Atomic.make 0 });
      endings = Array.make threads Oracle.Not_run;
      begun = counters threads;
      finalised = counters threads;
      deadlock = Atomic.make false;
      wrong = Atomic.make None;
    }
  in
  (try ignore (Weft.Pool.run pool (fun () -> begin_ r 0 code))
   with Planned _ | Cancel.Cancelled _ | Weft.Deadlock.Deadlock _ -> ());
  check_finalisers r;
  check_messages r;
  Option.iter (fun what -> QCheck.Test.fail_report what) (Atomic.get r.wrong);
  let failures s = List.map (fun (exn, _) -> ending_by r exn) (Scope.failures s) in
  let outcome =
    {
      Oracle.endings = Array.to_list r.endings;
      failures = Array.to_list (Array.map (Option.fold ~none:[] ~some:failures) r.scopes);
    }
  in
  if Atomic.get r.deadlock then None else Some outcome

(* --- the tests --- *)

let arbitrary gen = QCheck.make ~print ~shrink ~small:length gen

let print_ending = function
  | Oracle.Not_run -> "-"
  | Returned n -> string_of_int n
  | Failed n -> Printf.sprintf "fail %d" n
  | Cancelled -> "cancelled"

let print_endings endings = String.concat ", " (List.map print_ending endings)

let print_outcome { Oracle.endings; failures } =
  Printf.sprintf "%s; failures: %s" (print_endings endings)
    (String.concat "; " (List.map (fun f -> "[" ^ print_endings f ^ "]") failures))

let seed = 23

(* The oracle allocates much: with a tiny minor heap fewer programs are tried. *)
let on_each_size ~count name gen property =
  let count = if is_tiny then count / 3 else count in
  on_each_size @@ fun pool ->
  let property code = watched (fun () -> print code) (fun () -> property pool code) in
  let test = QCheck.Test.make ~count:(Support.tries count) ~name (arbitrary gen) property in
  QCheck.Test.check_exn ~rand:(Random.State.make [| seed |]) test

let first _ = 0

let as_the_oracle_says () =
  on_each_size ~count:150 "programs with one outcome" deterministic @@ fun pool code ->
  match Oracle.one_outcome ~choose:first code with
  | exception Oracle.Waits_for_ever -> QCheck.assume_fail () (* shrunk too far *)
  | expected -> (
      match outcome_in pool code with
      | None -> QCheck.Test.fail_report "a deadlock"
      | Some { endings; failures } ->
          let got = List.hd endings in
          if List.exists (List.mem Oracle.Cancelled) failures then
            QCheck.Test.fail_report "a request counts as a failure";
          expected = got
          || QCheck.Test.fail_reportf "expected %s, got %s" (print_ending expected) (print_ending got))

let most_states = 3000
let has_time_limits = has (function In_time _ -> true | _ -> false)

let as_it_may () =
  Testing_pools.Deadlocks.detecting @@ fun () ->
  (* The oracle takes longer than the programs do: it is asked once for each. *)
  let known = Hashtbl.create 500 in
  let outcomes code =
    match Hashtbl.find_opt known (print code) with
    | Some outcomes -> outcomes
    | None ->
        let outcomes = try Ok (Oracle.outcomes ~limit:most_states code) with Oracle.Too_many -> Error () in
        Hashtbl.add known (print code) outcomes;
        outcomes
  in
  on_each_size ~count:250 "programs with several outcomes" racing @@ fun pool code ->
  match outcomes code with
  | Error () -> true
  | Ok { deadlock = true; _ } when has_time_limits code ->
      true
      (* time limits are awaited before a
                                                                   deadlock is reported *)
  | Ok { ends; deadlock } ->
      let once () =
        match outcome_in pool code with
        | None -> deadlock || QCheck.Test.fail_report "a deadlock"
        | Some got ->
            List.mem got ends
            || QCheck.Test.fail_reportf "expected one of\n%s\ngot\n%s"
                 (String.concat "\n" (List.map print_outcome ends))
                 (print_outcome got)
      in
      List.for_all once (List.init (if deadlock then 1 else 3) ignore)

let the_oracle_is_sharp () =
  let rand = Random.State.make [| seed |] in
  for _ = 1 to 100 do
    let code = deterministic rand in
    let choose n = Random.State.int rand n in
    let outcome = Oracle.one_outcome ~choose:first code in
    for _ = 1 to 5 do
      if Oracle.one_outcome ~choose code <> outcome then
        Alcotest.failf "has several outcomes: %s" (print code)
    done
  done;
  let programs = if is_tiny then 40 else Testing.Effort.count ~quick:40 ~usual:100 ~long:100 in
  let waiting = ref 0 and skipped = ref 0 and few = ref 0 in
  for _ = 1 to programs do
    match Oracle.outcomes ~limit:most_states (racing rand) with
    | { deadlock = true; _ } -> incr waiting
    | { ends; _ } -> if List.length ends <= 10 then incr few
    | exception Oracle.Too_many -> incr skipped
  done;
  if !skipped > programs / 4 || !waiting > programs / 2 || !few < programs / 4 then
    Alcotest.failf "of %d, %d are skipped, %d may wait, %d have few outcomes" programs !skipped !waiting !few

let tests =
  [
    case "random programs with one outcome come to it" as_the_oracle_says;
    case "random programs whose parts race come to what they may" as_it_may;
    case "the oracle of scopes and channels is sharp" the_oracle_is_sharp;
  ]
