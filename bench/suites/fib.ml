open Weft_bench_harness
open Weft_bench_contestants

let value n =
  let rec go n a b = if n = 0 then a else go (n - 1) b (a + b) in
  go n 0 1

(* The calls form a binary tree with [value (n + 1)] leaves. *)
let forks n = value (n + 1) - 1

(* {1 The programs} *)

let rec sequential n = if n < 2 then n else sequential (n - 1) + sequential (n - 2)

let rec par n =
  if n < 2 then n
  else
    let a, b = Weft.par (fun () -> par (n - 1)) (fun () -> par (n - 2)) in
    a + b

let rec par_to cutoff n =
  if n <= cutoff then sequential n
  else
    let a, b = Weft.par (fun () -> par_to cutoff (n - 1)) (fun () -> par_to cutoff (n - 2)) in
    a + b

let rec async n =
  if n < 2 then n
  else
    let p = Weft.async (fun () -> async (n - 1)) in
    let b = async (n - 2) in
    Weft.await p + b

let rec async_to cutoff n =
  if n <= cutoff then sequential n
  else
    let p = Weft.async (fun () -> async_to cutoff (n - 1)) in
    let b = async_to cutoff (n - 2) in
    Weft.await p + b

(* At most some thousand parts: enough for an even share on any number of domains. *)
let levels_cut_by_hand = 16

let domain_spawn ~domains cutoff n =
  let least = max cutoff (n - levels_cut_by_hand) in
  let rec parts n rest = if n <= least then n :: rest else parts (n - 1) (parts (n - 2) rest) in
  Domain_spawn.sum ~domains sequential (parts n [])

(* {1 The benchmark} *)

let work ?forks size compute =
  Some
    (Benchmark.Work
       {
         prepare = (fun () -> size);
         compute;
         check = Benchmark.int_check ~expected:(value size);
         forks;
         figures = Benchmark.no_figures;
       })

let benchmark : Benchmark.t =
  {
    name = "fib";
    group = None;
    doc = "Fibonacci number by two recursive calls";
    size_doc = "the number's index";
    grain = Cutoff "from this index down the sequential program runs";
    sizes = (0, 60);
    default_cutoffs = [ Some 20; None ];
    default_size = (function Some _ -> 40 | None -> 36);
    more_sizes = [];
    quick_size = (function Some _ -> 32 | None -> 28);
    sweep_cutoffs = [ 5; 10; 15; 20; 25; 30 ];
    sweep_sizes = [ 24; 28; 32; 36; 40 ];
    paced = false;
    ways =
      [
        { contestant = Plain.contestant; work = (fun { size; _ } -> work size sequential) };
        {
          contestant = Weft_pool.par;
          work =
            (function
            | { size; cutoff = None; _ } -> work size par ~forks:(forks size)
            | { size; cutoff = Some cutoff; _ } -> work size (par_to cutoff));
        };
        {
          contestant = Weft_pool.async;
          work =
            (function
            | { size; cutoff = None; _ } -> work size async ~forks:(forks size)
            | { size; cutoff = Some cutoff; _ } -> work size (async_to cutoff));
        };
        {
          contestant = Domain_spawn.contestant;
          work =
            (function
            | { cutoff = None; _ } | { domains = 1; _ } ->
                None (* each call would be a part; no second domain *)
            | { size; cutoff = Some cutoff; domains } -> work size (domain_spawn ~domains cutoff));
        };
      ];
  }
