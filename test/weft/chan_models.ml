open Support
module Chan = Weft.Chan

let make = Chans.make

(* --- against the sequential meaning --- *)

module Spec (Capacity : sig
  val n : int
end) =
struct
  open STM

  type cmd = Send of int | Recv | Length | Close | Is_closed
  type state = { messages : int list; (* eldest first *) closed : bool }
  type sut = int Chan.t

  let show_cmd = function
    | Send i -> Printf.sprintf "Send %d" i
    | Recv -> "Recv"
    | Length -> "Length"
    | Close -> "Close"
    | Is_closed -> "Is_closed"

  let arb_cmd _ =
    let open QCheck.Gen in
    QCheck.make ~print:show_cmd
      (frequency
         [
           (8, map (fun i -> Send i) nat);
           (8, return Recv);
           (2, return Length);
           (1, return Close);
           (1, return Is_closed);
         ])

  let init_state = { messages = []; closed = false }
  let init_sut () = make Capacity.n
  let cleanup _ = ()
  let precond _ _ = true
  let has_room s = (not s.closed) && List.length s.messages < Capacity.n

  let next_state cmd s =
    match cmd with
    | Send i -> if has_room s then { s with messages = s.messages @ [ i ] } else s
    | Recv -> ( match s.messages with [] -> s | _ :: rest -> { s with messages = rest })
    | Close -> { s with closed = true }
    | Length | Is_closed -> s

  let run cmd c =
    match cmd with
    | Send i -> Res (result bool exn, protect (Chan.send_poll c) i)
    | Recv -> Res (option int, Chan.recv_poll c)
    | Length -> Res (int, Chan.length c)
    | Close -> Res (unit, Chan.close c)
    | Is_closed -> Res (bool, Chan.is_closed c)

  let postcond cmd (s : state) (res : res) =
    match (cmd, res) with
    | Send _, Res ((Result (Bool, Exn), _), r) ->
        if s.closed then r = Error Chan.Closed else r = Ok (has_room s)
    | Recv, Res ((Option Int, _), r) -> ( r = match s.messages with [] -> None | m :: _ -> Some m)
    | Length, Res ((Int, _), n) -> Int.equal n (List.length s.messages)
    | Close, Res ((Unit, _), ()) -> true
    | Is_closed, Res ((Bool, _), b) -> Bool.equal b s.closed
    | _ -> false
end

let agrees n () =
  let module Spec = Spec (struct
    let n = n
  end) in
  let module Sequential = STM_sequential.Make (Spec) in
  let module Parallel = STM_domain.Make (Spec) in
  let check test = QCheck.Test.check_exn ~rand:(Random.State.make [| n |]) test in
  check
    (QCheck.Test.make ~count:(tries 300) ~name:"sequential"
       (Sequential.arb_cmds Spec.init_state)
       Sequential.agree_prop);
  check
    (QCheck.Test.make ~count:(tries 100) ~name:"parallel" (Parallel.arb_cmds_triple 20 8)
       Parallel.agree_prop_par)

let tests =
  [
    case "like a queue, rendezvous" (agrees 0);
    case "like a queue, bounded 1" (agrees 1);
    case "like a queue, bounded 3" (agrees 3);
    case "like a queue, unbounded" (agrees max_int);
  ]
