(* Random operations, one after the other and from two domains at once, are compared with their sequential
   meaning. *)

open STM
module Ivar = Weft.Ivar
module Latch = Weft.Latch
module Mvar = Weft.Mvar
module Once = Weft.Once

exception Planned = Support.Planned

let generated show list = QCheck.make ~print:show (QCheck.Gen.frequency list)

module Ivars = struct
  type cmd = Try_fill of int | Fill of int | Peek | Read_if_full
  type state = int option
  type sut = int Ivar.t

  let show_cmd = function
    | Try_fill i -> Printf.sprintf "Try_fill %d" i
    | Fill i -> Printf.sprintf "Fill %d" i
    | Peek -> "Peek"
    | Read_if_full -> "Read_if_full"

  let arb_cmd _ =
    let open QCheck.Gen in
    generated show_cmd
      [
        (1, map (fun i -> Try_fill i) nat);
        (1, map (fun i -> Fill i) nat);
        (2, return Peek);
        (2, return Read_if_full);
      ]

  let init_state = None
  let init_sut = Ivar.create
  let cleanup _ = ()
  let precond _ _ = true
  let next_state cmd state = match (cmd, state) with (Try_fill i | Fill i), None -> Some i | _ -> state

  let run cmd i =
    match cmd with
    | Try_fill v -> Res (bool, Ivar.try_fill i v)
    | Fill v -> Res (result unit exn, protect (Ivar.fill i) v)
    | Peek -> Res (option int, Ivar.peek i)
    | Read_if_full -> Res (option int, Option.map (fun _ -> Ivar.read i) (Ivar.peek i))

  let postcond cmd (state : state) res =
    match (cmd, res) with
    | Try_fill _, Res ((Bool, _), filled) -> filled = (state = None)
    | Fill _, Res ((Result (Unit, Exn), _), Ok ()) -> state = None
    | Fill _, Res ((Result (Unit, Exn), _), Error (Invalid_argument _)) -> state <> None
    | (Peek | Read_if_full), Res ((Option Int, _), v) -> v = state
    | _ -> false
end

module Latches = struct
  type cmd = Down of int | Count | Wait_if_open
  type state = int
  type sut = Latch.t

  let show_cmd = function
    | Down i -> Printf.sprintf "Down %d" i
    | Count -> "Count"
    | Wait_if_open -> "Wait_if_open"

  let arb_cmd _ =
    let open QCheck.Gen in
    generated show_cmd
      [ (4, map (fun i -> Down i) (int_range (-1) 4)); (2, return Count); (1, return Wait_if_open) ]

  let init_state = 10
  let init_sut () = Latch.create init_state
  let cleanup _ = ()
  let precond _ _ = true
  let next_state cmd state = match cmd with Down i when i >= 0 && i <= state -> state - i | _ -> state

  let run cmd l =
    match cmd with
    | Down by -> Res (result unit exn, protect (fun () -> Latch.count_down ~by l) ())
    | Count -> Res (int, Latch.count l)
    | Wait_if_open ->
        let is_open = Latch.count l = 0 in
        if is_open then Latch.wait l;
        Res (bool, is_open)

  let postcond cmd (state : state) res =
    match (cmd, res) with
    | Down i, Res ((Result (Unit, Exn), _), Ok ()) -> i >= 0 && i <= state
    | Down i, Res ((Result (Unit, Exn), _), Error (Invalid_argument _)) -> i < 0 || i > state
    | Count, Res ((Int, _), n) -> n = state
    | Wait_if_open, Res ((Bool, _), is_open) -> is_open = (state = 0)
    | _ -> false
end

module Mvars = struct
  (* Operations that would wait time out at once, but only after they were in the queue. *)
  type cmd = Try_put of int | Try_take | Try_read | Put of int | Take | Read
  type state = int option
  type sut = int Mvar.t

  let show_cmd = function
    | Try_put i -> Printf.sprintf "Try_put %d" i
    | Try_take -> "Try_take"
    | Try_read -> "Try_read"
    | Put i -> Printf.sprintf "Put %d" i
    | Take -> "Take"
    | Read -> "Read"

  let arb_cmd _ =
    let open QCheck.Gen in
    generated show_cmd
      [
        (2, map (fun i -> Try_put i) nat);
        (2, return Try_take);
        (1, return Try_read);
        (3, map (fun i -> Put i) nat);
        (3, return Take);
        (1, return Read);
      ]

  let init_state = None
  let init_sut () = Mvar.create ()
  let cleanup _ = ()
  let precond _ _ = true

  let next_state cmd (state : state) =
    match (cmd, state) with (Try_put i | Put i), None -> Some i | (Try_take | Take), _ -> None | _ -> state

  let timeout = 0.

  let run cmd m =
    match cmd with
    | Try_put v -> Res (bool, Mvar.try_put m v)
    | Try_take -> Res (option int, Mvar.try_take m)
    | Try_read -> Res (option int, Mvar.try_read m)
    | Put v -> Res (result unit exn, protect (Mvar.put ~timeout m) v)
    | Take -> Res (result int exn, protect (fun m -> Mvar.take ~timeout m) m)
    | Read -> Res (result int exn, protect (fun m -> Mvar.read ~timeout m) m)

  let postcond cmd (state : state) res =
    match (cmd, res) with
    | Try_put _, Res ((Bool, _), put) -> put = (state = None)
    | (Try_take | Try_read), Res ((Option Int, _), v) -> v = state
    | Put _, Res ((Result (Unit, Exn), _), r) -> r = if state = None then Ok () else Error Weft.Cancel.Timeout
    | (Take | Read), Res ((Result (Int, Exn), _), r) ->
        r = Option.fold state ~none:(Error Weft.Cancel.Timeout) ~some:Result.ok
    | _ -> false
end

module Onces = struct
  (* There are two: a value, and an exception. *)
  type cmd = Get | Get_failing | Is_done | Is_failing_done
  type state = bool * bool
  type sut = { value : int Once.t; failing : int Once.t }

  let show_cmd = function
    | Get -> "Get"
    | Get_failing -> "Get_failing"
    | Is_done -> "Is_done"
    | Is_failing_done -> "Is_failing_done"

  let arb_cmd _ =
    generated show_cmd
      (List.map (fun c -> (1, QCheck.Gen.return c)) [ Get; Get_failing; Is_done; Is_failing_done ])

  let init_state = (false, false)

  let init_sut () =
    let values = Atomic.make 1 and failures = Atomic.make 1 in
    {
      value = Once.make (fun () -> Atomic.fetch_and_add values 1);
      failing = Once.make (fun () -> raise (Planned (Atomic.fetch_and_add failures 1)));
    }

  let cleanup _ = ()
  let precond _ _ = true

  let next_state cmd (value, failing) =
    match cmd with Get -> (true, failing) | Get_failing -> (value, true) | _ -> (value, failing)

  let run cmd s =
    match cmd with
    | Get -> Res (result int exn, protect Once.get s.value)
    | Get_failing -> Res (result int exn, protect Once.get s.failing)
    | Is_done -> Res (bool, Once.is_done s.value)
    | Is_failing_done -> Res (bool, Once.is_done s.failing)

  let postcond cmd ((value, failing) : state) res =
    match (cmd, res) with
    | Get, Res ((Result (Int, Exn), _), r) -> r = Ok 1
    | Get_failing, Res ((Result (Int, Exn), _), r) -> r = Error (Planned 1)
    | Is_done, Res ((Bool, _), b) -> b = value
    | Is_failing_done, Res ((Bool, _), b) -> b = failing
    | _ -> false
end

module Check (Spec : Spec) = struct
  module Sequential = STM_sequential.Make (Spec)
  module Parallel = STM_domain.Make (Spec)

  let cases name =
    let check test () = QCheck.Test.check_exn ~rand:(Random.State.make [| 3 |]) test in
    [
      Support.case
        (name ^ ": as it means, one after the other")
        (check (Sequential.agree_test ~count:(Support.tries 300) ~name));
      Support.case
        (name ^ ": as it means, two domains at once")
        (check (Parallel.agree_test_par ~count:(Support.tries 20) ~name));
    ]
end

module Check_ivars = Check (Ivars)
module Check_latches = Check (Latches)
module Check_mvars = Check (Mvars)
module Check_onces = Check (Onces)

let tests =
  List.concat
    [
      Check_ivars.cases "ivar";
      Check_latches.cases "latch";
      Check_mvars.cases "mvar";
      Check_onces.cases "once";
    ]
