(* What channels promise: order, room, polling, meeting, many at both ends. *)

module C = Domainslib.Chan

let bool = string_of_bool
let option = function None -> "nothing" | Some n -> string_of_int n

let polls () =
  let c = C.make_bounded 2 in
  let first = C.recv_poll c in
  let a = C.send_poll c 1 in
  let b = C.send_poll c 2 in
  let full = C.send_poll c 3 in
  Printf.printf "bounded 2: %s, sent %s %s %s" (option first) (bool a) (bool b) (bool full);
  let x = C.recv c in
  let again = C.send_poll c 4 in
  Printf.printf ", received %d, sent %s" x (bool again);
  let y = C.recv_poll c in
  let z = C.recv_poll c in
  let none = C.recv_poll c in
  Printf.printf ", received %s %s %s\n" (option y) (option z) (option none);
  let u = C.make_unbounded () in
  for i = 1 to 1000 do
    C.send u i
  done;
  let in_order = List.for_all (fun i -> C.recv u = i) (List.init 1000 succ) in
  Printf.printf "unbounded: in order %s, then %s\n" (bool in_order) (option (C.recv_poll u));
  let r = C.make_bounded 0 in
  Printf.printf "rendezvous: nobody to take %s, nothing to take %s\n"
    (bool (C.send_poll r 1))
    (option (C.recv_poll r))

let misuse () =
  match C.make_bounded (-1) with
  | (_ : int C.t) -> print_endline "a channel with less than no room"
  | exception Invalid_argument text -> Printf.printf "refused: %s\n" text

(* Two domains meet at channels without room. *)
let meet rounds =
  let there = C.make_bounded 0 and back = C.make_bounded 0 in
  let echo =
    Domain.spawn (fun () ->
        for _ = 1 to rounds do
          C.send back (C.recv there + 1)
        done)
  in
  let rec go i n =
    if i = rounds then n
    else begin
      C.send there n;
      go (i + 1) (C.recv back)
    end
  in
  let n = go 0 0 in
  Domain.join echo;
  Printf.printf "met %d times\n" n

let many senders receivers each =
  let c = C.make_bounded 3 in
  let send k () =
    for i = 1 to each do
      C.send c ((k * each) + i)
    done
  in
  let receive () =
    let sum = ref 0 in
    for _ = 1 to senders * each / receivers do
      sum := !sum + C.recv c
    done;
    !sum
  in
  let givers = List.init senders (fun k -> Domain.spawn (send k)) in
  let takers = List.init receivers (fun _ -> Domain.spawn receive) in
  List.iter Domain.join givers;
  let sum = List.fold_left (fun n d -> n + Domain.join d) 0 takers in
  Printf.printf "%d senders, %d receivers: %d\n" senders receivers sum

let run ~domains:_ ~size =
  polls ();
  misuse ();
  meet size;
  many 2 2 (size / 2 * 2);
  many 1 2 (size / 2 * 2);
  many 2 1 size
