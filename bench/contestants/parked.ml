type t = {
  mutex : Mutex.t;
  submitted : Condition.t;
  finished : Condition.t;  (** signalled when the last function of a [run_all] has returned *)
  tasks : (unit -> unit) Queue.t;  (** these functions do not raise *)
  mutable closing : bool;
}

let rec work pool =
  Mutex.lock pool.mutex;
  while Queue.is_empty pool.tasks && not pool.closing do
    Condition.wait pool.submitted pool.mutex
  done;
  let task = Queue.take_opt pool.tasks in
  Mutex.unlock pool.mutex;
  match task with
  | None -> ()
  | Some task ->
      task ();
      work pool

let close pool workers =
  Mutex.protect pool.mutex (fun () ->
      pool.closing <- true;
      Condition.broadcast pool.submitted);
  List.iter Domain.join workers

let with_pool ~domains f =
  let pool =
    {
      mutex = Mutex.create ();
      submitted = Condition.create ();
      finished = Condition.create ();
      tasks = Queue.create ();
      closing = false;
    }
  in
  let workers = ref [] in
  Fun.protect
    ~finally:(fun () -> close pool !workers)
    (fun () ->
      for _ = 2 to domains do
        workers := Domain.spawn (fun () -> work pool) :: !workers
      done;
      f pool)

let submit pool task =
  Mutex.lock pool.mutex;
  Queue.add task pool.tasks;
  Condition.signal pool.submitted;
  Mutex.unlock pool.mutex

let submit_all pool tasks =
  Mutex.lock pool.mutex;
  List.iter (fun task -> Queue.add task pool.tasks) tasks;
  Condition.broadcast pool.submitted;
  Mutex.unlock pool.mutex

(* Runs functions from the queue until [left] is 0. *)
let rec help pool left =
  Mutex.lock pool.mutex;
  while Atomic.get left > 0 && Queue.is_empty pool.tasks do
    Condition.wait pool.finished pool.mutex
  done;
  let task = if Atomic.get left > 0 then Queue.take_opt pool.tasks else None in
  Mutex.unlock pool.mutex;
  match task with
  | None -> ()
  | Some task ->
      task ();
      help pool left

let run_all pool tasks =
  let left = Atomic.make (List.length tasks) and failure = Atomic.make None in
  let noting task () =
    (try task ()
     with e ->
       let backtrace = Printexc.get_raw_backtrace () in
       ignore (Atomic.compare_and_set failure None (Some (e, backtrace)) : bool));
    (* Signalled under the mutex: otherwise the caller could miss it between reading [left] and waiting. *)
    if Atomic.fetch_and_add left (-1) = 1 then
      Mutex.protect pool.mutex (fun () -> Condition.broadcast pool.finished)
  in
  submit_all pool (List.map noting tasks);
  help pool left;
  match Atomic.get failure with
  | None -> ()
  | Some (e, backtrace) -> Printexc.raise_with_backtrace e backtrace
