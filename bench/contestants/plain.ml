open Weft_bench_harness

let inside ~domains:_ f = f ()

let contestant : Contestant.t =
  { name = "sequential"; doc = "the plain OCaml program, without any pool"; role = Baseline; inside }

let in_place : Contestant.t =
  {
    name = "in-place";
    doc = "the plain OCaml loop with the body written in place, not called";
    role = Beside;
    inside;
  }

let best_sequential : Contestant.t =
  {
    name = "best_sequential";
    doc = "the best sequential OCaml program of any kind, without any pool";
    role = Baseline;
    inside;
  }

let same_steps = { contestant with role = Beside }

(* Not inlined, so that the compiler does not see the body: in Weft's loops it does not see it either. *)

let[@inline never] for_ ~start ~finish ~body =
  for i = start to finish do
    body i
  done

let[@inline never] reduce ~start ~finish ~body combine init =
  let acc = ref init in
  for i = start to finish do
    acc := combine !acc (body i)
  done;
  !acc
