let may advice = Some (false, advice)
let must advice = Some (true, advice)

let of_task = function
  | "setup_pool" ->
      may
        "a pool is not needed: Weft.run ~domains:(n + 1), or nothing; num_domains counts those beside the \
         caller"
  | "teardown_pool" -> may "goes with the pool; of a Weft.Pool.t: Weft.Pool.close"
  | "lookup_pool" -> may "Weft.Pool.find"
  | "get_num_domains" -> may "Weft.Pool.domains; or Weft.Pool.default_domains ()"
  | "run" -> may "Weft.run (fun () -> ...), or without: every function enters the default pool by itself"
  | "async" -> may "Weft.async f; where two tasks are started and awaited: Weft.par f g"
  | "await" -> may "Weft.await p"
  | "parallel_for" -> may "Weft.parallel_for ~start ~finish ~body (), without chunk_size"
  | "parallel_for_reduce" -> may "Weft.parallel_for_reduce ~start ~finish ~body combine init"
  | "parallel_scan" -> may "Weft.parallel_scan combine a"
  | "parallel_find" ->
      may "Weft.parallel_find ~start ~finish ~body (); the first one: Weft.parallel_find_first"
  | "TasksActive" -> must "gone since 0.4, and never raised: drop it, or use Domainslib_04"
  | _ -> None

let of_channel = function
  | "make_bounded" -> may "Weft.Chan.bounded"
  | "make_unbounded" -> may "Weft.Chan.unbounded"
  | "send" | "send_poll" | "recv" | "recv_poll" -> may "the same in Weft.Chan, which can also be closed"
  | "make" -> must "make_bounded since 0.2"
  | _ -> None

let of_deque =
  must "not in weft-domainslib, nor in domainslib since 0.5: Saturn.Work_stealing_deque of the library saturn"

let in_ocaml = "this dune file is written in OCaml: where it means the library, weft-domainslib"
let in_makefile = "where it means the package or the library (ocamlfind -package), weft-domainslib"
let in_lock = "opam has written this file: once weft-domainslib is installed, opam lock writes it anew"

let of_label = function
  | "num_additional_domains" ->
      must "num_domains since 0.5: rename it, or put module Domainslib = Domainslib_04 before it"
  | _ -> None

let number_of_domain =
  "no index in tasks: idle domains end, and are started again under greater numbers; Weft.Pool.worker_index \
   (), or Weft.Local.Worker_local"

let of_other = function
  | "Domain.self" ->
      may "in tasks: idle domains end, and are started again under greater numbers; Weft.Pool.worker_index ()"
  | "Domain.at_exit" -> may "in tasks: called whenever an idle domain ends, or its pool is closed"
  | "Domain.DLS.get" | "Domain.DLS.set" | "Domain.DLS.new_key" ->
      may
        "in tasks: domains end when they are idle, and their values with them; Weft.Local.Worker_local lasts"
  | "Effect.Unhandled" -> may "not raised outside run any more"
  | "EffectHandlers" | "EffectHandlers.Deep" | "EffectHandlers.Shallow" -> must "Effect since OCaml 5.0"
  | "Domain.Sync.cpu_relax" -> must "Domain.cpu_relax since OCaml 5.0"
  | "Domain.timer_ticks" -> must "not in OCaml 5: Unix.gettimeofday, or the library mtime"
  | "Domain.Mutex" | "Domain.Condition" -> must "Mutex and Condition since OCaml 5.0"
  | _ -> None
