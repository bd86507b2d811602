open Weft_bench_harness
open Weft_bench_contestants

(* https://oeis.org/A000170 *)
let values =
  [|
    1; 1; 0; 0; 2; 10; 4; 40; 92; 352; 724; 2680; 14200; 73712; 365596; 2279184; 14772512; 95815104; 666090624;
  |]

(* {1 The board}

   A board is the list of the columns of the queens placed so far, the last row first. *)

let rec safe col distance = function
  | [] -> true
  | queen :: queens -> queen <> col && abs (queen - col) <> distance && safe col (distance + 1) queens

(* [next_safe n board col] is the first column from [col] on where a queen may stand in the next row; [n] if
   there is none. *)
let rec next_safe n board col = if col < n && not (safe col 1 board) then next_safe n board (col + 1) else col

(* {1 The programs}

   All have the same form: [solve n rows board] counts the solutions that begin with [board], with [rows]
   rows to go; [from n rows board col] counts those whose next queen is at [col] or to the right of it. *)

let rec solve n rows board = if rows = 0 then 1 else from n rows board 0

and from n rows board col =
  let col = next_safe n board col in
  if col = n then 0
  else
    let here = solve n (rows - 1) (col :: board) in
    let right = from n rows board (col + 1) in
    here + right

let rec solve_par cutoff n rows board =
  if rows <= cutoff then solve n rows board else from_par cutoff n rows board 0

and from_par cutoff n rows board col =
  let col = next_safe n board col in
  if col = n then 0
  else
    let here, right =
      Weft.par
        (fun () -> solve_par cutoff n (rows - 1) (col :: board))
        (fun () -> from_par cutoff n rows board (col + 1))
    in
    here + right

(* A loop over all columns of the next row, in which each column that is safe has such a loop. *)
let rec solve_loop cutoff n rows board =
  if rows <= cutoff then solve n rows board
  else
    Weft.parallel_for_reduce ~start:0 ~finish:(n - 1)
      ~body:(fun col -> if safe col 1 board then solve_loop cutoff n (rows - 1) (col :: board) else 0)
      ( + ) 0

let rec solve_async cutoff n rows board =
  if rows <= cutoff then solve n rows board else from_async cutoff n rows board 0

and from_async cutoff n rows board col =
  let col = next_safe n board col in
  if col = n then 0
  else
    let here = Weft.async (fun () -> solve_async cutoff n (rows - 1) (col :: board)) in
    let right = from_async cutoff n rows board (col + 1) in
    Weft.await here + right

(* The first two rows give more than a hundred parts on boards that are large enough to matter. *)
let rows_cut_by_hand = 2

let domain_spawn ~domains cutoff n =
  let rows_below = max cutoff (max 0 (n - rows_cut_by_hand)) in
  let rec parts rows board rest = if rows <= rows_below then board :: rest else parts_from rows board 0 rest
  and parts_from rows board col rest =
    let col = next_safe n board col in
    if col = n then rest else parts (rows - 1) (col :: board) (parts_from rows board (col + 1) rest)
  in
  Domain_spawn.sum ~domains (fun board -> solve n (n - List.length board) board) (parts n [] [])

(* {1 The benchmark} *)

(* By default the sequential program takes over only when no row is left. *)
let rows_to_cut = Option.value ~default:0

let work size compute =
  Some
    (Benchmark.Work
       {
         prepare = (fun () -> size);
         compute;
         check = Benchmark.int_check ~expected:values.(size);
         forks = None (* searching safe squares takes most of the time *);
         figures = Benchmark.no_figures;
       })

let benchmark : Benchmark.t =
  {
    name = "nqueens";
    group = None;
    doc = "number of solutions of the n-queens problem by backtracking";
    size_doc = "the number of queens";
    grain = Cutoff "with this many rows to go the sequential program runs";
    sizes = (1, Array.length values - 1);
    default_cutoffs = [ None ];
    default_size = (fun _ -> 14);
    more_sizes = [];
    quick_size = (fun _ -> 10);
    sweep_cutoffs = [ 2; 4; 6; 8; 10; 12 ];
    sweep_sizes = [ 8; 10; 12; 13; 14 ];
    paced = false;
    ways =
      [
        { contestant = Plain.contestant; work = (fun { size; _ } -> work size (fun n -> solve n n [])) };
        {
          contestant = Weft_pool.par;
          work = (fun { size; cutoff; _ } -> work size (fun n -> solve_par (rows_to_cut cutoff) n n []));
        };
        {
          contestant = Weft_pool.async;
          work = (fun { size; cutoff; _ } -> work size (fun n -> solve_async (rows_to_cut cutoff) n n []));
        };
        {
          contestant = Weft_pool.loop;
          work = (fun { size; cutoff; _ } -> work size (fun n -> solve_loop (rows_to_cut cutoff) n n []));
        };
        {
          contestant = Domain_spawn.contestant;
          work =
            (fun { size; cutoff; domains } ->
              if domains = 1 then None else work size (fun n -> domain_spawn ~domains (rows_to_cut cutoff) n));
        };
      ];
  }
