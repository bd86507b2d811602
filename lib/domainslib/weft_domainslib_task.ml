module Pool = Weft_domainslib_pool

type pool = Pool.t

let teardown_pool p = Pool.teardown ~who:"Domainslib.Task.teardown_pool" p
let lookup_pool = Pool.lookup

let get_num_domains p =
  Pool.check p;
  Pool.domains p

let run p f = Pool.run ~who:"Domainslib.Task.run" p f

(* --- promises --- *)

let promise = Weft.Promise.Private.of_job
let[@inline never] async_elsewhere p f = promise (Pool.start ~who:"Domainslib.Task.async" p f)
let async p f = if Pool.is_here p then promise (Fork_join.async f) else async_elsewhere p f

(* A thread outside works in this pool while it waits, not in Weft's default one; and kept tasks must run. *)
let[@inline never] await_elsewhere p (j : _ Job.t) =
  if Job.is_settled j then Job.get j
  else Pool.run ~who:"Domainslib.Task.await" p (fun () -> Fork_join.await j)

let await p promise =
  Pool.check p;
  let j = Weft.Promise.Private.to_job promise in
  if Deque_memory.current () == Deque_memory.nowhere () || Pool.has_kept p then await_elsewhere p j
  else Fork_join.await j

(* --- loops --- *)

let inside who p f = if Pool.is_here p then f () else Pool.run ~who p f

(* If the number is not positive, the library chooses. *)
let chosen = function Some n when n > 0 -> Some n | _ -> None

let parallel_for ?chunk_size ~start ~finish ~body p =
  inside "Domainslib.Task.parallel_for" p (fun () ->
      Weft.parallel_for ?chunk_size:(chosen chunk_size) ~start ~finish ~body ())

(* The size of the leaves of a reduction: an eighth of the range, at least 4 elements and at most 256, so that
   short reductions inside loops cost little; if there are fewer than 8 elements, each is a leaf. (If an
   element takes long, the elements of a leaf run in parallel, too.) It depends on the range alone, never on
   the number of domains: so the result does not depend on that, either. *)
let leaves n = if n < 8 then 1 else Int.max 4 (Int.min 256 (((n - 1) / 8) + 1))

let parallel_for_reduce ?chunk_size ~start ~finish ~body p combine init =
  let chunk_size =
    match chosen chunk_size with
    | None when finish > start ->
        let before_last = finish - start in
        Some (leaves (if before_last < 0 || before_last = max_int then max_int else before_last + 1))
    | chunk_size -> chunk_size
  in
  inside "Domainslib.Task.parallel_for_reduce" p (fun () ->
      Weft.parallel_for_reduce ?chunk_size ~start ~finish ~body combine init)

let parallel_scan p combine a =
  inside "Domainslib.Task.parallel_scan" p (fun () -> Weft.parallel_scan combine a)

let parallel_find ?chunk_size ~start ~finish ~body p =
  inside "Domainslib.Task.parallel_find" p (fun () ->
      Weft.parallel_find ?chunk_size:(chosen chunk_size) ~start ~finish ~body ())
