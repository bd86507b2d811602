(* A game in which each position has eight moves, with values that look random. *)

let moves = 8
let move position i = (position + i + 1) * 0x9E3779B97F4A7C1 lxor (position lsr 17)
let value position = (((position * 0x2545F4914F6CDD1D) lsr 40) land 1023) - 512

(* {1 Sequential} *)

let rec best_sequential position depth alpha beta =
  if depth = 0 then value position
  else begin
    let best = ref alpha and i = ref 0 in
    while !i < moves && !best < beta do
      best := Int.max !best (-best_sequential (move position !i) (depth - 1) (-beta) (- !best));
      incr i
    done;
    !best
  end

(* $MDX part-begin=book *)
(* The value of [position], where it lies between [alpha] and [beta]. The first move comes before its brothers,
   which run in parallel; one that is good enough stops the others. *)
let rec alpha_beta position depth alpha beta =
  if depth = 0 then value position
  else
    let try_move i alpha = -alpha_beta (move position i) (depth - 1) (-beta) (-alpha) in
    let first = Int.max alpha (try_move 0 alpha) in
    if first >= beta then first
    else begin
      let best = Weft.Atomic_array.make 1 first in
      let brother i =
        ignore (Weft.Atomic_array.write_max best 0 (try_move i (Weft.Atomic_array.get best 0)) : bool);
        if Weft.Atomic_array.get best 0 >= beta then Some () else None
      in
      ignore (Weft.parallel_find ~start:1 ~finish:(moves - 1) ~body:brother () : unit option);
      Weft.Atomic_array.get best 0
    end
(* $MDX part-end *)

(* {1 By hand} *)

let rec raise_to best (v : int) =
  let b = Atomic.get best in
  if v > b && not (Atomic.compare_and_set best b v) then raise_to best v

let rec by_hand position depth alpha beta =
  if depth <= 3 then best_sequential position depth alpha beta
  else
    let try_move i alpha = -by_hand (move position i) (depth - 1) (-beta) (-alpha) in
    let first = Int.max alpha (try_move 0 alpha) in
    if first >= beta then first
    else begin
      let best = Atomic.make first in
      let brother i =
        raise_to best (try_move i (Atomic.get best));
        if Atomic.get best >= beta then Some () else None
      in
      ignore (Weft.parallel_find ~start:1 ~finish:(moves - 1) ~body:brother () : unit option);
      Atomic.get best
    end

let benchmark =
  let from_1 search depth = search 1 depth (-10_000) 10_000 in
  Textbook.benchmark ~name:"alpha_beta" ~doc:"the value of a game with eight moves in each position"
    ~size_doc:"the number of moves to the end" ~sizes:(0, 20) ~sweep_sizes:[ 7; 8; 9; 10; 11 ] ~size:11
    ~quick:8 ~input:Fun.id ~digest:Fun.id
    {
      best_sequential = from_1 best_sequential;
      sequential = from_1 best_sequential;
      book = from_1 alpha_beta;
      by_hand = from_1 by_hand;
    }
