type 'a promise = 'a Promise.t

(* --- fork-join --- *)

let par = Fork_join.par

let par3 f g h =
  let a, (b, c) = par f (fun () -> par g h) in
  (a, b, c)

let par4 f g h i =
  let (a, b), (c, d) = par (fun () -> par f g) (fun () -> par h i) in
  (a, b, c, d)

let all fs =
  let fs = Array.of_list fs in
  let results = Array.make (Array.length fs) None in
  let rec fill low high =
    if high - low = 1 then results.(low) <- Some (fs.(low) ())
    else
      let middle = low + ((high - low) / 2) in
      let (), () = par (fun () -> fill low middle) (fun () -> fill middle high) in
      ()
  in
  let n = Array.length fs in
  if n > 0 && Current_worker.is_outside () then Pools.run_default (fun () -> fill 0 n)
  else begin
    Current_worker.poll_anywhere ();
    if n > 0 then fill 0 n
  end;
  List.filter_map Fun.id (Array.to_list results)

let all_settled fs =
  all
    (List.map
       (fun f () -> match f () with v -> Ok v | exception exn -> Error (exn, Printexc.get_raw_backtrace ()))
       fs)

let run ?domains ?minor_heap f =
  match (domains, minor_heap) with
  | None, None ->
      if Option.is_some (Worker.current ()) then begin
        Current_worker.poll ();
        f ()
      end
      else Pools.run_default f
  | _ when Explored.is_function () -> f ()
  | _ ->
      let caller = Option.is_none (Worker.current ()) in
      let p = Pools.create ?domains ?minor_heap ~caller "Weft.run" in
      Shutdown.use_and_close p "Weft.run" (fun () -> Pools.run p f "Weft.run")

(* --- loops --- *)

let parallel_for ?chunk_size ~start ~finish ~body () =
  match chunk_size with
  | None -> Short_loop.each ~start ~finish body
  | Some _ ->
      Loop.blocks ?chunk_size ~code:(Weft_platform.Closure.code body) ~who:"Weft.parallel_for" ~start ~finish
        (fun first last -> Loop.each body first last)

let parallel_for_reduce ?chunk_size ~start ~finish ~body combine init =
  let who = "Weft.parallel_for_reduce" in
  let fold first last = Reduce.fold_elements body combine first last in
  match chunk_size with
  | None ->
      if start > finish then init
      else if start = finish && not (Current_worker.is_outside ()) then begin
        Current_worker.poll ();
        combine init (body start)
      end
      else
        let code = Weft_platform.Closure.code body in
        combine init (Reduce.elements ~code ~start ~finish ~fold body combine)
  | Some _ ->
      Grain.check_chunk_size who chunk_size;
      if start > finish then init
      else combine init (Reduce.reduce ?chunk_size ~element:body ~who ~start ~finish ~fold combine)

let parallel_for_blocks ?chunk_size ~start ~finish ~body () =
  Grain.check_chunk_size "Weft.parallel_for_blocks" chunk_size;
  match chunk_size with
  | None -> Short_loop.by_blocks ~code:(Weft_platform.Closure.code body) ~start ~finish body
  | Some length -> Loop.equal_blocks ~length ~start ~finish body

let parallel_for_reduce_blocks ?chunk_size ~start ~finish ~body combine init =
  let who = "Weft.parallel_for_reduce_blocks" in
  Grain.check_chunk_size who chunk_size;
  if start > finish then init
  else
    let leaves = Grain.blocks_of_tree and code = Weft_platform.Closure.code body in
    combine init (Reduce.reduce ?chunk_size ~leaves ~code ~who ~start ~finish ~fold:body combine)

let parallel_scan combine a = Parallel_array.scan combine a
let parallel_scan_exclusive combine init a = Parallel_array.scan_exclusive combine init a

let look body first last =
  (* A recursive function, not a [for] loop: it stops at the first answer. The last index may be [max_int]. *)
  let rec from i =
    match body i with None -> if i < last then from (i + 1) else None | Some _ as answer -> answer
  in
  from first

let parallel_find ?chunk_size ~start ~finish ~body () =
  Search.any ?chunk_size ~code:(Weft_platform.Closure.code body) ~who:"Weft.parallel_find" ~start ~finish
    (look body)

let parallel_find_first ?chunk_size ~start ~finish ~body () =
  Search.first ?chunk_size ~code:(Weft_platform.Closure.code body) ~who:"Weft.parallel_find_first" ~start
    ~finish (look body)

let speculative_for ?round ~start ~finish ~reserve ~commit () =
  Speculative.run ~who:"Weft.speculative_for" ?round ~start ~finish ~reserve ~commit ()

(* --- pipelines --- *)

module Stage = Pipeline.Stage

let pipeline ?tokens producer stage = Pipeline.run ~who:"Weft.pipeline" ?tokens producer stage

let pipeline_to_list ?tokens producer stage =
  Pipeline.collect ~who:"Weft.pipeline_to_list" ?tokens producer stage

(* --- promises --- *)

let async f = Promise.Private.of_job (Fork_join.async f)
let await = Promise.await
let yield = Poll.yield

(* --- time --- *)

let now = Clock.now

let sleep seconds =
  if seconds <= 0. then Poll.yield ()
  else
    let who = "Weft.sleep" in
    try Waiter.await ~timeout:seconds ~what:who ~leave:ignore (Waiter.create ()) with Cancel.Timeout -> ()

(* --- calls that block --- *)

let blocking = Blocking.run

(* --- exceptions nobody awaits --- *)

let set_uncaught_handler = Uncaught.set_handler
let uncaught_handler = Uncaught.current_handler
let default_uncaught_handler = Uncaught.print
let exit_on_uncaught = Uncaught.exit_on_uncaught
let set_suppressed_handler = Uncaught.set_suppressed_handler

(* --- modules --- *)

module Pool = Pool
module Profile = Weft_profile.Profile
module Stats = Stats
module Promise = Promise
module Scope = Scope
module Cancel = Cancel
module Limit = Limit
module Deadlock = Deadlocks
module Dump = Dump

let dump = Dump.print

module Array = Parallel_array
module Atomic_array = Atomic_array
module Floatarray = Parallel_floatarray
module List = Parallel_list
module Bigarray = Parallel_bigarray
module Random = Task_random
module Seq = Parallel_seq
module Local = Local
module Mutex = Fiber_mutex
module Poisoning_mutex = Poisoning_mutex
module Condition = Fiber_condition
module Semaphore = Fiber_semaphore
module Rwlock = Rwlock
module Chan = Chan
module Broadcast = Broadcast
module Select = Select
module Barrier = Barrier
module Latch = Latch
module Ivar = Ivar
module Mvar = Mvar
module Once = Once
module Trace = Trace
