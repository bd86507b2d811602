open Recorded

type outcome = { time : int; steals : int }

(* A running task, and the index of its next step. *)
type frame = { task : int; mutable next : int }

(* The innermost task first: a task that runs in place, because a fiber joins it, lies above the joining
   task. *)
type fiber = frame list
type job = Task of int | Fiber of fiber
type state = New | Running | Done

(* --- deques --- *)

type deque = { mutable slots : job array; mutable top : int; mutable bottom : int }

let nothing = Task 0
let size d = d.bottom - d.top

let push d job =
  let capacity = Array.length d.slots in
  if size d = capacity then begin
    let slots = Array.make (max 8 (2 * capacity)) nothing in
    for i = d.top to d.bottom - 1 do
      slots.(i mod Array.length slots) <- d.slots.(i mod capacity)
    done;
    d.slots <- slots
  end;
  d.slots.(d.bottom mod Array.length d.slots) <- job;
  d.bottom <- d.bottom + 1

let pop d =
  d.bottom <- d.bottom - 1;
  d.slots.(d.bottom mod Array.length d.slots)

let steal_top d =
  let job = d.slots.(d.top mod Array.length d.slots) in
  d.top <- d.top + 1;
  job

(* --- what happens when --- *)

type what = Goes_on of int * fiber | Begins of int * job | Wakes of int * fiber

(* Sorted by time, then by the order in which they were added. *)
module Times = Map.Make (struct
  type t = int * int

  let compare (a, i) (b, j) = match Int.compare a b with 0 -> Int.compare i j | c -> c
end)

type t = {
  graph : Recorded.t;
  cost : int;
  deques : deque array;
  states : state array;
  joiners : fiber list array; (* for each task, the fibers that wait for it *)
  posted : bool array;
  waiters : fiber list array; (* for each event, the fibers that wait for it *)
  rich : int array; (* the first [riches] elements are the workers whose deques are not empty *)
  place : int array; (* the place of each worker in [rich]; -1: none *)
  mutable riches : int;
  mutable idle : int list;
  mutable agenda : what Times.t;
  mutable count : int;
  mutable random : int;
  mutable stolen : int;
}

let at t time what =
  t.count <- t.count + 1;
  t.agenda <- Times.add (time, t.count) what t.agenda

let note_size t w =
  let is_rich = size t.deques.(w) > 0 in
  if is_rich && t.place.(w) < 0 then begin
    t.rich.(t.riches) <- w;
    t.place.(w) <- t.riches;
    t.riches <- t.riches + 1
  end
  else if (not is_rich) && t.place.(w) >= 0 then begin
    let hole = t.place.(w) and last = t.rich.(t.riches - 1) in
    t.rich.(hole) <- last;
    t.place.(last) <- hole;
    t.place.(w) <- -1;
    t.riches <- t.riches - 1
  end

let chance t n =
  let x = t.random in
  let x = x lxor (x lsl 13) in
  let x = x lxor (x lsr 7) in
  let x = x lxor (x lsl 17) in
  t.random <- x;
  x land max_int mod n

(* Worker [w], whose deque is empty, steals a job or becomes idle. *)
let look_around t time w =
  if t.riches = 0 then t.idle <- w :: t.idle
  else begin
    let victim = t.rich.(chance t t.riches) in
    let job = steal_top t.deques.(victim) in
    note_size t victim;
    t.stolen <- t.stolen + 1;
    at t (time + t.cost) (Begins (w, job))
  end

let offer t time w job =
  push t.deques.(w) job;
  note_size t w;
  match t.idle with
  | [] -> ()
  | thief :: idle ->
      t.idle <- idle;
      look_around t time thief

(* Removes the joined task [i] from the deque if it is at the bottom: it must not run again. *)
let drop_own t w i =
  let d = t.deques.(w) in
  if size d > 0 && d.slots.((d.bottom - 1) mod Array.length d.slots) = Task i then begin
    ignore (pop d);
    note_size t w
  end

(* --- running --- *)

let rec go_on t time w (fiber : fiber) =
  match fiber with
  | [] -> find_work t time w
  | frame :: below ->
      let steps = t.graph.tasks.(frame.task) in
      if frame.next = Array.length steps then ended t time w frame.task below
      else begin
        let step = steps.(frame.next) in
        frame.next <- frame.next + 1;
        match step with
        | Run 0 -> go_on t time w fiber
        | Run n -> at t (time + n) (Goes_on (w, fiber))
        | Fork i ->
            if t.states.(i) = New then offer t time w (Task i);
            go_on t time w fiber
        | Join i -> join t time w fiber i
        | Post e ->
            t.posted.(e) <- true;
            List.iter (fun fiber -> offer t time w (Fiber fiber)) (List.rev t.waiters.(e));
            t.waiters.(e) <- [];
            go_on t time w fiber
        | Wait e ->
            if t.posted.(e) then go_on t time w fiber
            else begin
              t.waiters.(e) <- fiber :: t.waiters.(e);
              find_work t time w
            end
        | Idle n ->
            at t (time + n) (Wakes (w, fiber));
            find_work t time w
      end

and join t time w fiber i =
  match t.states.(i) with
  | Done -> go_on t time w fiber
  | New ->
      (* If the task lies elsewhere in a deque, it is skipped there, since it is no longer [New]. *)
      drop_own t w i;
      t.states.(i) <- Running;
      go_on t time w ({ task = i; next = 0 } :: fiber)
  | Running ->
      t.joiners.(i) <- fiber :: t.joiners.(i);
      find_work t time w

and ended t time w i below =
  t.states.(i) <- Done;
  let joiners = List.rev t.joiners.(i) in
  t.joiners.(i) <- [];
  match (below, joiners) with
  | [], first :: others ->
      List.iter (fun fiber -> offer t time w (Fiber fiber)) others;
      go_on t time w first
  | below, joiners ->
      List.iter (fun fiber -> offer t time w (Fiber fiber)) joiners;
      go_on t time w below

and begin_job t time w = function
  | Fiber fiber -> go_on t time w fiber
  | Task i ->
      if t.states.(i) = New then begin
        t.states.(i) <- Running;
        go_on t time w [ { task = i; next = 0 } ]
      end
      else find_work t time w

and find_work t time w =
  let d = t.deques.(w) in
  if size d > 0 then begin
    let job = pop d in
    note_size t w;
    begin_job t time w job
  end
  else look_around t time w

let rec carry_out t =
  match Times.min_binding_opt t.agenda with
  | None -> Error "the recorded graph does not come to its end"
  | Some (((time, _) as key), what) ->
      t.agenda <- Times.remove key t.agenda;
      (match what with
      | Goes_on (w, fiber) -> go_on t time w fiber
      | Begins (w, job) -> begin_job t time w job
      | Wakes (w, fiber) -> offer t time w (Fiber fiber));
      if t.states.(0) = Done then Ok { time; steals = t.stolen } else carry_out t

let run ?(seed = 1) ~workers ~steal (graph : Recorded.t) =
  let tasks = Array.length graph.tasks in
  let t =
    {
      graph;
      cost = steal;
      deques = Array.init workers (fun _ -> { slots = [||]; top = 0; bottom = 0 });
      states = Array.make tasks New;
      joiners = Array.make tasks [];
      posted = Array.make graph.events false;
      waiters = Array.make graph.events [];
      rich = Array.make workers 0;
      place = Array.make workers (-1);
      riches = 0;
      idle = List.init (workers - 1) (fun i -> i + 1);
      agenda = Times.empty;
      count = 0;
      random = seed * 0x9E3779B97F4A7C1 lor 1;
      stolen = 0;
    }
  in
  at t 0 (Begins (0, Task 0));
  carry_out t
