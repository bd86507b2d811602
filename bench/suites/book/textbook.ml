open Weft_bench_contestants

type ('input, 'result) programs = {
  best_sequential : 'input -> 'result;
  sequential : 'input -> 'result;
  book : 'input -> 'result;
  by_hand : 'input -> 'result;
}

let benchmark ?sizes ?sweep_sizes ~name ~doc ~size_doc ~size ~quick ~input ~digest programs =
  Same_result.benchmark ?sizes ?sweep_sizes ~group:"book" ~name ~doc ~size_doc ~size ~quick ~input ~digest
    ( (Plain.best_sequential, programs.best_sequential),
      [
        (Plain.same_steps, programs.sequential);
        (Weft_pool.book, programs.book);
        (Weft_pool.by_hand, programs.by_hand);
      ] )

let both ~cutoff n f g =
  if n >= cutoff then Weft.par f g
  else
    let a = f () in
    (a, g ())
