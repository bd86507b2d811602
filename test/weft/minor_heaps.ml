(* The sizes of minor heaps: in the domains of pools, in domains that call in, and afterwards. *)

open Support
module Pool = Weft.Pool

let size () = (Gc.get ()).minor_heap_size
let set words = Gc.set { (Gc.get ()) with minor_heap_size = words }

(* Sizes are rounded up to whole pages. *)
let is_near wanted size = size >= wanted && size <= wanted + 1024
let near what wanted = if not (is_near wanted (size ())) then Alcotest.failf "%s: %d words" what (size ())
let chosen_in_environment = Option.is_some (Weft_platform.Minor_heap.set_in Sys.getenv_opt)

(* The size in a new domain. *)
let initial = Domain.join (Domain.spawn size)

(* A domain in which no pool has been before. *)
let in_a_new_domain f = with_processors 2 (fun () -> Domain.join (Domain.spawn f))

(* Works long enough for the size to be set: that happens once work has gone on for a while. *)
let work () =
  let start = Unix.gettimeofday () in
  while Unix.gettimeofday () -. start < 0.05 do
    ignore (fib 12)
  done

(* Runs [f ()], after some work, in a domain that is [wanted]: in the calling fiber, if it is in that
   domain (now and then the fiber moves), or in a task that another worker takes meanwhile. *)
let in_domain wanted f =
  let try_here () =
    let is_there () = wanted (Domain.self ()) in
    if is_there () then work ();
    if is_there () then Some (f ()) else None
  in
  let elsewhere () =
    let taken = Atomic.make false in
    snd
      (Weft.par
         (fun () -> wait_until "another worker has come" (fun () -> Atomic.get taken))
         (fun () ->
           Atomic.set taken true;
           try_here ()))
  in
  let rec try_again () =
    match try_here () with
    | Some v -> v
    | None -> ( match elsewhere () with Some v -> v | None -> try_again ())
  in
  watched (fun () -> "until that domain takes part") try_again

let at_home ~home f = in_domain (( = ) home) f

(* Workers set their size after the first job that ends at least a millisecond after they were respawned, and the caller
   when it is preempted: until then they have the initial size. *)
let eventually there what wanted f =
  let look () = if is_near wanted (size ()) then Ok (f ()) else Error (size ()) in
  let rec try_again () =
    match in_domain there look with
    | Ok v -> v
    | Error size when size = initial -> try_again ()
    | Error size -> Alcotest.failf "%s: %d words, not %d" what size wanted
  in
  watched (fun () -> Printf.sprintf "%s: until there are %d words" what wanted) try_again

let in_a_worker ~home what wanted f = eventually (( <> ) home) what wanted f
let in_workers ~home what wanted = in_a_worker ~home what wanted ignore
let in_the_caller ~home wanted = eventually (( = ) home) "the caller's" wanted ignore
let many = 3

let words_for domains =
  if chosen_in_environment then initial else Weft_platform.Minor_heap.words_for ~domains ()

let asked () =
  let before = size () and home = Domain.self () in
  Pool.with_pool ~domains:2 ~minor_heap:500_000 (fun pool ->
      near "the caller's" 500_000;
      Pool.run pool (fun () ->
          (* Here even workers that have just been respawned have the size at once. *)
          in_domain (( <> ) home) (fun () -> near "a worker's" 500_000));
      Weft.run ~domains:2 ~minor_heap:700_000 (fun () -> near "the larger one" 700_000);
      near "the caller's again" 500_000;
      Weft.run ~domains:2 ~minor_heap:50_000 (fun () -> check "not made smaller" (size () >= 500_000)));
  check_int "restored" before (size ());
  raises_invalid "too small" "Weft.Pool.create: " (fun () -> Pool.create ~minor_heap:100 ())

let by_the_number_of_domains () =
  let before = size () and home = Domain.self () in
  List.iter
    (fun domains ->
      Weft.run ~domains (fun () ->
          in_workers ~home "in workers" (words_for domains);
          (* With more domains the caller's worker may not be needed. *)
          if domains = 2 then in_the_caller ~home (words_for domains));
      check_int "restored" before (size ()))
    [ 2; many ];
  Weft.run ~domains:1 (fun () ->
      work ();
      check_int "one domain" before (size ()))

let chosen = 100 * 1024

let by_the_user () =
  set chosen;
  let home = Domain.self () in
  List.iter
    (fun domains ->
      Weft.run ~domains (fun () ->
          in_workers ~home "in workers" chosen;
          if domains = 2 then in_the_caller ~home chosen);
      near "afterwards" chosen)
    [ 2; many ]

let by_the_user_meanwhile () =
  let pool = Pool.create ~domains:2 ~minor_heap:500_000 () in
  set chosen;
  let home = Domain.self () in
  Pool.run pool (fun () -> at_home ~home (fun () -> near "in a call" chosen));
  Pool.close pool;
  near "closed" chosen;
  Weft.run ~domains:2 (fun () -> in_workers ~home "in the next pool's workers" chosen)

let in_tasks () =
  let home = Domain.self () in
  Weft.run ~domains:2 (fun () ->
      in_a_worker ~home "outer" (words_for 2) (fun () ->
          Weft.run ~domains:many (fun () -> in_workers ~home "as outside" (words_for many))));
  set chosen;
  Weft.run ~domains:2 (fun () ->
      in_a_worker ~home "outer" chosen (fun () ->
          Weft.run ~domains:many (fun () -> in_workers ~home "the user's, from outside" chosen)))

(* This is the first job of a worker that was respawned for it: the worker sets its own size later. *)
let in_first_tasks () =
  set chosen;
  Pool.with_pool ~domains:2 @@ fun pool ->
  let has_retired (w : Pool.worker_stats) = w.retired > 0 in
  wait_until "the worker has retired" (fun () ->
      Gc.minor ();
      Array.exists has_retired (Pool.stats pool));
  let first () =
    let home = Domain.self () in
    check_int "not set yet" initial (size ());
    Weft.run ~domains:2 (fun () -> in_workers ~home "the user's" chosen)
  in
  let task = Pool.async pool first in
  (* If this thread awaited the task, it might run the task itself. *)
  wait_until "it has ended" (fun () -> Weft.Promise.is_settled task);
  Weft.await task

let tests =
  [
    case "minor heaps are as large as asked, and restored" (in_a_new_domain asked);
    case "minor heaps are larger in pools of more domains, and restored"
      (in_a_new_domain by_the_number_of_domains);
    case "what Gc.set has chosen holds in all domains of a pool" (in_a_new_domain by_the_user);
    case "what Gc.set chooses while a pool is open stays" (in_a_new_domain by_the_user_meanwhile);
    case "pools made in tasks choose as those made outside" (in_a_new_domain in_tasks);
    case "pools made by a worker's first task choose as others" (in_a_new_domain in_first_tasks);
  ]
