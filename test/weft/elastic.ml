open Support
module Pool = Weft.Pool

let with_patience seconds f =
  let patience = Weft_sched.Seat.patience in
  let before = Atomic.get patience in
  Atomic.set patience seconds;
  Fun.protect f ~finally:(fun () -> Atomic.set patience before)

let wait_for_retirement pool ~left =
  wait_until "the workers have retired" (fun () -> Pool.present pool <= left)

let idle_workers_retire () =
  List.iter
    (fun domains ->
      Pool.with_pool ~domains @@ fun pool ->
      wait_for_retirement pool ~left:0;
      (* The caller is one, and this fiber may have moved to another. *)
      Pool.run pool (fun () ->
          check_int "fib" (fib_of 20) (fib 20);
          wait_for_retirement pool ~left:2;
          check_int "fib again" (fib_of 20) (fib 20)))
    sizes

let outsiders_summon () =
  List.iter
    (fun domains ->
      Pool.with_pool ~domains @@ fun pool ->
      for i = 1 to 10 do
        wait_for_retirement pool ~left:0;
        check_int "a task" i (Weft.await (Pool.async pool (fun () -> i)))
      done)
    [ 2; 3; 8 ]

let timers_keep_one () =
  List.iter
    (fun domains ->
      Pool.with_pool ~domains @@ fun pool ->
      (* Nobody waits for it: the pool's own domains must see to the timer. *)
      let woken = Atomic.make false in
      let sleeping =
        Pool.async pool (fun () ->
            Weft.sleep 0.1;
            Atomic.set woken true)
      in
      ignore sleeping;
      wait_until "the sleeper has woken" (fun () -> Atomic.get woken);
      wait_for_retirement pool ~left:0)
    [ 2; 3; 8 ]

(* The caller computes, and does not fork: a domain that waits has to see to the timers. *)
let timers_beside_computations () =
  List.iter
    (fun domains ->
      Weft.run ~domains @@ fun () ->
      (* Time to retire. *)
      Thread.delay 0.02;
      let woken = Atomic.make false in
      ignore
        (Weft.async (fun () ->
             Weft.sleep 0.05;
             Atomic.set woken true)
          : unit Weft.promise);
      wait_until "the sleeper has woken" (fun () -> Atomic.get woken))
    [ 2; 3; 8 ]

(* The timer is made by a caller, who leaves. *)
let leavers_are_replaced () =
  List.iter
    (fun domains ->
      Pool.with_pool ~domains @@ fun pool ->
      let woken = Atomic.make false in
      Pool.run pool (fun () ->
          wait_for_retirement pool ~left:2;
          ignore
            (Weft.async (fun () ->
                 Weft.sleep 0.05;
                 Atomic.set woken true)
              : unit Weft.promise);
          Weft.yield ());
      wait_until "the sleeper has woken" (fun () -> Atomic.get woken))
    [ 1; 2; 3; 8 ]

(* Two tasks that wait for each other without suspending. *)
let meet () =
  let arrived = Atomic.make 0 in
  let party () =
    Atomic.incr arrived;
    wait_until "the other has come" (fun () -> Atomic.get arrived = 2)
  in
  ignore (Weft.par party party)

let cycles () =
  let n = if deep < 100_000 then 1_000 else 10_000 in
  with_patience 0.00002 @@ fun () ->
  let domains = 3 in
  Pool.with_pool ~domains @@ fun pool ->
  let seen = Weft.Local.Worker_local.create (fun () -> 0) in
  let forks = ref 0 and alone = ref 0 and together = ref 0 in
  let burst () = Weft.Local.Worker_local.update seen succ in
  (* The caller and the domain that this fiber may have moved to stay; how soon the others go is not ours to say. *)
  let all_go () =
    let rec wait left =
      Pool.present pool = 1
      || left > 0
         &&
         (Thread.delay 0.001;
          wait (left - 1))
    in
    wait 20
  in
  Pool.run pool (fun () ->
      for i = 1 to n do
        ignore (Weft.all [ burst; burst; burst ]);
        forks := !forks + 2;
        (* Now and then all go, or come in the middle of going. *)
        if i mod 20 = 0 then begin
          if all_go () then incr alone;
          meet ();
          incr together
        end
        else spin (i * 7919 mod 100_000);
        if i mod 64 = 0 then Weft.sleep 0.0001
      done);
  check "some retired" (!alone > 10);
  check_int "so often some returned" (n / 20) !together;
  check_int "nothing is lost of what workers keep" (3 * n) (Weft.Local.Worker_local.fold ( + ) 0 seen);
  let counted = Array.fold_left (fun sum (w : Pool.worker_stats) -> sum + w.forks) 0 (Pool.stats pool) in
  if counted < !forks then Alcotest.failf "%d forks counted of %d" counted !forks

let cycles_from_outside () =
  let n = if deep < 100_000 then 300 else 2_000 in
  with_patience 0.00002 @@ fun () ->
  Pool.with_pool ~domains:3 @@ fun pool ->
  let ran = Atomic.make 0 in
  for i = 1 to n do
    let p = Pool.async pool (fun () -> Atomic.incr ran) in
    if i mod 3 = 0 then Weft.await p;
    spin (i * 7919 mod 50_000)
  done;
  wait_until "all have run" (fun () -> Atomic.get ran = n)

let closing_while_they_go () =
  with_patience 0.00002 @@ fun () ->
  for i = 1 to 200 do
    Pool.with_pool ~domains:3 @@ fun pool ->
    let ran = Atomic.make 0 in
    let count () = Atomic.incr ran in
    Pool.run pool (fun () -> ignore (Weft.all [ count; count; count ]));
    spin (i * 1117 mod 60_000);
    check_int "ran" 3 (Atomic.get ran)
  done

(* Whole pages that the process has in memory. *)
let resident () =
  match In_channel.with_open_bin "/proc/self/statm" In_channel.input_all with
  | statm -> Scanf.sscanf statm "%d %d" (fun _ resident -> 4 * resident)
  | exception Sys_error _ -> 0

let memory () =
  with_patience 0.00002 @@ fun () ->
  Pool.with_pool ~domains:2 @@ fun pool ->
  let cycle i =
    Weft.await (Pool.async pool (fun () -> ignore (fib 5)));
    spin (i * 7919 mod 20_000)
  in
  for i = 1 to 500 do
    cycle i
  done;
  let before = resident () in
  for i = 1 to 2_000 do
    cycle i
  done;
  let grown = resident () - before in
  if grown > 8_192 then Alcotest.failf "%d KiB more after 2,000 cycles" grown

(* --- room --- *)

let processors = Weft_sched.Processors.count ()
let is_assumed = Sys.getenv_opt "WEFT_PROCESSORS" <> None

let room_for_the_machine () =
  List.iter
    (fun domains ->
      Pool.with_pool ~domains @@ fun pool ->
      if not is_assumed then check_int "room" (min domains processors) (Pool.room pool))
    sizes

(* Each waits for all the others, and none of them forks. *)
let meet ~wait domains =
  Weft.run ~domains @@ fun () ->
  let arrived = Atomic.make 0 in
  let arrive () =
    Atomic.incr arrived;
    while Atomic.get arrived < domains do
      wait ()
    done
  in
  ignore (Weft.all (List.init domains (fun _ -> arrive)));
  check_int "all have met" domains (Atomic.get arrived)

let spinning_tasks_meet () = List.iter (meet ~wait:Domain.cpu_relax) [ 2; 3; 8 ]
let blocking_tasks_meet () = List.iter (meet ~wait:(fun () -> Thread.delay 0.001)) [ 2; 3; 8; 16 ]

let allocating_tasks_meet () =
  List.iter (meet ~wait:(fun () -> ignore (Sys.opaque_identity (ref 0)))) [ 2; 3 ]

(* Workers step down and are let in again at random moments. *)
let room_changes_at_random () =
  let rounds = if deep < 100_000 then 20 else 100 in
  List.iter
    (fun domains ->
      let name = Printf.sprintf "room of %d" domains in
      Pool.with_pool ~name ~domains @@ fun pool ->
      let parts = (Option.get (Weft_sched.Pool_state.find name)).parts in
      let ended = Atomic.make false in
      let change () =
        let random = Stdlib.Random.State.make [| domains |] in
        while not (Atomic.get ended) do
          Weft_sched.Sleepers.set_room parts.sleepers
            (1 + Stdlib.Random.State.int random domains)
            ~more:(fun () -> Weft_sched.Worker.is_work parts);
          Array.iter (fun (w : Weft_sched.Worker.t) -> Weft_deque.Deque.call w.deque) parts.workers;
          Thread.delay (Stdlib.Random.State.float random 0.002)
        done
      in
      let changer = Thread.create change () in
      Fun.protect
        ~finally:(fun () ->
          Atomic.set ended true;
          Thread.join changer)
        (fun () ->
          for i = 1 to rounds do
            let sum = Atomic.make 0 in
            Pool.run pool (fun () ->
                let fibs, () =
                  Weft.par
                    (fun () -> Weft.all (List.init 4 (fun _ () -> fib 18)))
                    (fun () ->
                      Weft.parallel_for ~start:1 ~finish:1000
                        ~body:(fun i -> ignore (Atomic.fetch_and_add sum i))
                        ())
                in
                check "fib" (List.for_all (( = ) (fib_of 18)) fibs));
            check_int "the loop" 500_500 (Atomic.get sum);
            if i mod 10 = 0 then check_int "from outside" i (Weft.await (Pool.async pool (fun () -> i)))
          done))
    [ 2; 3; 8 ]

(* --- collections --- *)

let collections () = (Gc.quick_stat ()).minor_collections

(* The main domain's thread is in a system call meanwhile. *)
let main_blocks () =
  let ways =
    [
      ( "Condition.wait",
        fun (_ : unit -> bool) ->
          let m = Stdlib.Mutex.create () and c = Stdlib.Condition.create () and ready = ref false in
          ( (fun () ->
              Stdlib.Mutex.protect m (fun () ->
                  ready := true;
                  Stdlib.Condition.signal c)),
            fun () ->
              Stdlib.Mutex.protect m (fun () ->
                  while not !ready do
                    Stdlib.Condition.wait c m
                  done) ) );
      ( "read",
        fun _ ->
          let from, into = Unix.pipe ~cloexec:true () in
          ( (fun () -> ignore (Unix.write_substring into "." 0 1)),
            fun () ->
              ignore (Unix.read from (Bytes.create 1) 0 1);
              Unix.close from;
              Unix.close into ) );
      ( "sleep",
        fun is_done ->
          ( ignore,
            fun () ->
              while not (is_done ()) do
                Unix.sleepf 0.2
              done ) );
    ]
  in
  List.iter
    (fun (what, way) ->
      Pool.with_pool ~domains:3 @@ fun pool ->
      let is_done = Atomic.make false in
      let finish, block = way (fun () -> Atomic.get is_done) in
      let before = collections () in
      let rec allocate () =
        ignore (Sys.opaque_identity (List.init 1000 Fun.id));
        if collections () < before + 20 then allocate ()
      in
      let task =
        Pool.async pool (fun () ->
            ignore (Weft.par allocate allocate);
            Atomic.set is_done true;
            finish ())
      in
      (* It would wait for ever, if collections waited for it. *)
      block ();
      Weft.await task;
      check what (collections () >= before + 20))
    ways

(* --- minor heaps --- *)

let size () = (Gc.get ()).minor_heap_size

(* In a domain where no pool holds one. *)
let wait_for_size ~above =
  let start = Unix.gettimeofday () in
  let rec wait () =
    ignore (fib 18);
    if size () <= above then
      if Unix.gettimeofday () -. start > 30. then Alcotest.fail "the minor heap did not grow" else wait ()
  in
  wait ()

let minor_heaps () =
  Domain.join @@ Domain.spawn
  @@ fun () ->
  let before = size () in
  (* Sizes are rounded up to whole pages. *)
  let near what wanted = check what (size () >= wanted && size () <= wanted + 1024) in
  Pool.with_pool ~domains:2 ~minor_heap:500_000 (fun pool ->
      near "the caller's" 500_000;
      Pool.run pool (fun () ->
          ignore
            (Weft.all
               (List.init 20 (fun _ () ->
                    spin 100_000;
                    near "a worker's" 500_000))));
      (* One inside the other. *)
      Weft.run ~domains:2 ~minor_heap:700_000 (fun () -> near "the larger one" 700_000);
      near "the caller's again" 500_000;
      Weft.run ~domains:2 ~minor_heap:50_000 (fun () -> check "not made smaller" (size () >= 500_000)));
  check_int "restored" before (size ());
  Weft.run ~domains:2 (fun () ->
      if not (mentions "s=" (Option.value (Sys.getenv_opt "OCAMLRUNPARAM") ~default:"")) then
        (* Once they have worked for a while. *)
        wait_for_size ~above:before
      else check_int "the user's" before (size ()));
  check_int "restored" before (size ());
  Weft.run ~domains:1 (fun () -> check_int "one domain" before (size ()));
  (* What the program chooses meanwhile stays. *)
  let chosen = before + 8192 in
  Pool.with_pool ~domains:2 ~minor_heap:500_000 (fun _ ->
      Gc.set { (Gc.get ()) with minor_heap_size = chosen });
  near "chosen" chosen;
  Weft.run ~domains:2 (fun () -> near "chosen, and kept" chosen);
  Gc.set { (Gc.get ()) with minor_heap_size = before };
  raises_invalid "too small" "Weft.Pool.create: " (fun () -> Pool.create ~minor_heap:100 ())

let tests =
  [
    case "idle workers retire, and return" (all_at_once idle_workers_retire);
    case "tasks from outside summon workers" (all_at_once outsiders_summon);
    case "a timer keeps one worker" timers_keep_one;
    case "timers come beside computations that do not fork" timers_beside_computations;
    case "a caller who leaves a timer is replaced" leavers_are_replaced;
    case "ten thousand times, workers retire and return" (all_at_once cycles);
    case "workers return for tasks from outside" cycles_from_outside;
    case "pools are closed while workers retire" closing_while_they_go;
    case "workers that come and go leave no memory behind" memory;
    case "there is room for as many as the machine runs" room_for_the_machine;
    case "tasks that spin for each other meet" spinning_tasks_meet;
    case "tasks that block for each other meet" blocking_tasks_meet;
    case "tasks that allocate while they wait meet" allocating_tasks_meet;
    case "room changes at random moments" room_changes_at_random;
    case "collections do not wait for a main domain that blocks" main_blocks;
    case "minor heaps are chosen, and restored" minor_heaps;
  ]
