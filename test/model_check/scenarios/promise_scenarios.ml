exception Cancelled
exception Failed of int

(* [waiter crew notes i name p] is worker [i] with a fiber that awaits [p] and notes how that ended. *)
let waiter crew notes i name p =
  Crew.worker crew i name @@ fun w ->
  Crew.run w (fun () ->
      let how = match Fork_join.await p with v -> string_of_int v | exception Cancelled -> "cancelled" in
      Notes.add notes (name ^ " got " ^ how));
  Crew.run_own w

(* Settles [p] from outside of the pool. *)
let resolver notes name p v =
  Process.spawn name @@ fun () ->
  if Promise.try_resolve p v then Notes.add notes ("settled as " ^ string_of_int v)

let canceller (crew : Crew.t) =
  Process.spawn "canceller" @@ fun () -> Suspended_fibers.cancel_some crew.parts.home.suspended Cancelled

(* How the fiber of waiter [name] ended, and in which process. *)
let ending notes name values = Notes.the_one notes (List.map (fun v -> name ^ " got " ^ v) values)

let ending_somewhere notes name values =
  let ending = ending notes name values in
  ending ^ " in " ^ Notes.once notes ending

let scenario ?(long = false) ?(in_one_step = false) ?(undisturbed = false) ?(end_asks = false) name ~outcomes
    ~workers set_up : Scenario.t =
  let set_up () =
    Section.collapse in_one_step;
    Undisturbed.promise undisturbed;
    let notes = Notes.make () in
    let crew = Crew.make workers in
    let judge = set_up crew notes in
    fun () ->
      Crew.run_rest crew;
      if end_asks then begin
        Suspended_fibers.cancel_some crew.parts.home.suspended Cancelled;
        Crew.run_rest crew
      end;
      if not (Suspended_fibers.is_empty crew.parts.home.suspended) then
        Explore.violate "a fiber is left in the list";
      judge ()
  in
  { name; long; outcomes; set_up }

let of_promises =
  [
    ( scenario "a waiter, two resolvers"
        ~outcomes:[ "A got 1 in A"; "A got 1 in judge"; "A got 2 in A"; "A got 2 in judge" ]
        ~workers:1
    @@ fun crew notes ->
      let p = Promise.create () in
      waiter crew notes 0 "A" p;
      resolver notes "R" p 1;
      resolver notes "S" p 2;
      fun () ->
        let winner = Notes.the_one notes [ "settled as 1"; "settled as 2" ] in
        let value = string_of_int (Job.get p) in
        if winner <> "settled as " ^ value then Explore.violate "%s, but the value is %s" winner value;
        ending_somewhere notes "A" [ value ] );
    ( scenario "two waiters, a resolver" ~long:true ~in_one_step:true ~undisturbed:true
        ~outcomes:
          [
            "A got 1 in A, B got 1 in A";
            "A got 1 in A, B got 1 in B";
            "A got 1 in A, B got 1 in judge";
            "A got 1 in B, B got 1 in A";
            "A got 1 in B, B got 1 in B";
            "A got 1 in B, B got 1 in judge";
            "A got 1 in judge, B got 1 in A";
            "A got 1 in judge, B got 1 in B";
            "A got 1 in judge, B got 1 in judge";
          ]
        ~workers:2
    @@ fun crew notes ->
      let p = Promise.create () in
      waiter crew notes 0 "A" p;
      waiter crew notes 1 "B" p;
      resolver notes "R" p 1;
      fun () -> ending_somewhere notes "A" [ "1" ] ^ ", " ^ ending_somewhere notes "B" [ "1" ] );
    ( scenario "a waiter, a resolver, a canceller"
        ~outcomes:[ "A got 1 in A"; "A got 1 in judge"; "A got cancelled in A"; "A got cancelled in judge" ]
        ~workers:1
    @@ fun crew notes ->
      let p = Promise.create () in
      waiter crew notes 0 "A" p;
      resolver notes "R" p 1;
      canceller crew;
      fun () -> ending_somewhere notes "A" [ "1"; "cancelled" ] );
    ( scenario "two waiters, a resolver, a canceller" ~long:true ~in_one_step:true ~undisturbed:true
        ~outcomes:
          [
            "A got 1, B got 1";
            "A got 1, B got cancelled";
            "A got cancelled, B got 1";
            "A got cancelled, B got cancelled";
          ]
        ~workers:2
    @@ fun crew notes ->
      let p = Promise.create () in
      waiter crew notes 0 "A" p;
      waiter crew notes 1 "B" p;
      resolver notes "R" p 1;
      canceller crew;
      fun () -> ending notes "A" [ "1"; "cancelled" ] ^ ", " ^ ending notes "B" [ "1"; "cancelled" ] );
    ( scenario "the first of two promises, two resolvers" ~outcomes:[ "it is 1"; "it is 2" ] ~workers:1
    @@ fun _ notes ->
      let p = Promise.create () and q = Promise.create () in
      Process.spawn "C" (fun () ->
          let first = Promise.any [ p; q ] in
          let note () = Notes.add notes ("it is " ^ string_of_int (Job.get first)) in
          if not (Job.add_waiter first (Callback note)) then note ());
      resolver notes "R" p 1;
      resolver notes "S" q 2;
      fun () -> Notes.the_one notes [ "it is 1"; "it is 2" ] );
  ]

(* Adds a callback and removes it again; if that is too late, the callback runs. *)
let quitter notes name j =
  Process.spawn name @@ fun () ->
  let w = Job.Callback (fun () -> Notes.add notes (name ^ " was called")) in
  if not (Job.add_waiter j w) then Notes.add notes (name ^ " came late")
  else if Job.remove_waiter j w then Notes.add notes (name ^ " quit")

let end_of notes name = Notes.the_one notes [ name ^ " was called"; name ^ " came late"; name ^ " quit" ]

(* Settles [p], which nobody has settled: no waiter may be left. *)
let nobody_waits p =
  match Job.try_settle p (Returned 0) with
  | Some waiters when List.for_all (fun w -> w = Job.Witness) waiters -> ()
  | Some _ | None -> Explore.violate "a waiter is left"

(* [combine], in a process of its own, and a callback that notes its outcome. *)
let combiner notes combine =
  Process.spawn "C" @@ fun () ->
  let first = combine () in
  let note () =
    match Promise.peek first with
    | Some (Ok v) -> Notes.add notes ("it is " ^ string_of_int v)
    | Some (Error (Failed v, _)) -> Notes.add notes ("it failed as " ^ string_of_int v)
    | Some (Error _) | None -> Explore.violate "it has no such outcome"
  in
  if not (Job.add_waiter first (Callback note)) then note ()

let rejecter p v = Process.spawn ("rejecter " ^ string_of_int v) @@ fun () -> Promise.reject p (Failed v)

let of_quitters =
  [
    ( scenario "one quits, a resolver" ~outcomes:[ "Q quit"; "Q was called"; "Q came late" ] ~workers:1
    @@ fun _ notes ->
      let p = Promise.create () in
      quitter notes "Q" p;
      resolver notes "R" p 1;
      fun () -> end_of notes "Q" );
    ( scenario "two quit" ~outcomes:[ "Q quit, S quit" ] ~workers:1 @@ fun _ notes ->
      let p = Promise.create () in
      quitter notes "Q" p;
      quitter notes "S" p;
      fun () ->
        nobody_waits p;
        end_of notes "Q" ^ ", " ^ end_of notes "S" );
    ( scenario "two quit, a resolver"
        ~outcomes:
          [
            "Q came late, S came late";
            "Q came late, S quit";
            "Q came late, S was called";
            "Q quit, S came late";
            "Q quit, S quit";
            "Q quit, S was called";
            "Q was called, S came late";
            "Q was called, S quit";
            "Q was called, S was called";
          ]
        ~workers:1
    @@ fun _ notes ->
      let p = Promise.create () in
      quitter notes "Q" p;
      quitter notes "S" p;
      resolver notes "R" p 1;
      fun () -> end_of notes "Q" ^ ", " ^ end_of notes "S" );
    ( scenario "a race that lasting promises lose" ~outcomes:[ "it is 1" ] ~workers:1 @@ fun _ notes ->
      let left = Promise.create () and p = Promise.create () and right = Promise.create () in
      combiner notes (fun () -> Promise.race [ left; p; right ]);
      resolver notes "R" p 1;
      fun () ->
        nobody_waits left;
        nobody_waits right;
        Notes.the_one notes [ "it is 1" ] );
    ( scenario "a race, a resolver and a rejecter" ~outcomes:[ "it is 1"; "it failed as 2" ] ~workers:1
    @@ fun _ notes ->
      let p = Promise.create () and q = Promise.create () in
      combiner notes (fun () -> Promise.race [ p; q ]);
      resolver notes "R" p 1;
      rejecter q 2;
      fun () -> Notes.the_one notes [ "it is 1"; "it failed as 2" ] );
    ( scenario "the first of two promises, two rejecters" ~outcomes:[ "it failed as 1" ] ~workers:1
    @@ fun _ notes ->
      let p = Promise.create () and q = Promise.create () in
      combiner notes (fun () -> Promise.any [ p; q ]);
      rejecter p 1;
      rejecter q 2;
      fun () -> Notes.the_one notes [ "it failed as 1" ] );
    ( scenario "a waiter, one quits, a resolver"
        ~outcomes:[ "A got 1, Q came late"; "A got 1, Q quit"; "A got 1, Q was called" ]
        ~in_one_step:true ~workers:1
    @@ fun crew notes ->
      let p = Promise.create () in
      waiter crew notes 0 "A" p;
      quitter notes "Q" p;
      resolver notes "R" p 1;
      fun () -> ending notes "A" [ "1" ] ^ ", " ^ end_of notes "Q" );
    (* A cancelled fiber does not remove its own waiter here: a later quit removes it, or the outcome is
       delivered to it in vain. *)
    ( scenario "a waiter, one quits, a resolver, a canceller" ~long:true
        ~outcomes:
          [
            "A got 1, Q came late";
            "A got 1, Q quit";
            "A got 1, Q was called";
            "A got cancelled, Q came late";
            "A got cancelled, Q quit";
            "A got cancelled, Q was called";
          ]
        ~in_one_step:true ~undisturbed:true ~workers:1
    @@ fun crew notes ->
      let p = Promise.create () in
      waiter crew notes 0 "A" p;
      quitter notes "Q" p;
      resolver notes "R" p 1;
      canceller crew;
      fun () -> ending notes "A" [ "1"; "cancelled" ] ^ ", " ^ end_of notes "Q" );
  ]

(* A task in the deque of worker 0, which notes where it runs. *)
let queued_task (crew : Crew.t) notes =
  let j =
    Job.task Spawn_context.nobody (fun () ->
        Notes.add notes "task";
        1)
  in
  Worker.push crew.workers.(0) (Job.T j);
  j

let run_by notes j =
  if Job.get j <> 1 then Explore.violate "a wrong outcome";
  "run by " ^ Notes.once notes "task"

let of_tasks =
  [
    ( scenario "a task, its maker waits, a thief"
        ~outcomes:[ "run by A, A got 1 in A"; "run by P, A got 1 in A"; "run by P, A got 1 in P" ]
        ~workers:2
    @@ fun crew notes ->
      let j = queued_task crew notes in
      waiter crew notes 0 "A" j;
      Crew.worker crew 1 "P" Crew.steal_and_run;
      fun () -> run_by notes j ^ ", " ^ ending_somewhere notes "A" [ "1" ] );
    ( scenario "a fiber makes a task and waits, a thief"
        ~outcomes:[ "run by A, A got 1 in A"; "run by P, A got 1 in A"; "run by P, A got 1 in P" ]
        ~workers:2
    @@ fun crew notes ->
      let task () =
        Notes.add notes "task";
        1
      in
      Crew.worker crew 0 "A" (fun w ->
          Crew.run w (fun () ->
              Notes.add notes ("A got " ^ string_of_int (Fork_join.await (Fork_join.async task))));
          Crew.run_own w);
      Crew.worker crew 1 "P" Crew.steal_and_run;
      fun () -> "run by " ^ Notes.once notes "task" ^ ", " ^ ending_somewhere notes "A" [ "1" ] );
    ( scenario "a task, two waiters, a thief" ~long:true ~in_one_step:true ~undisturbed:true
        ~outcomes:
          [
            "run by A, A got 1 in A, B got 1 in A";
            "run by A, A got 1 in A, B got 1 in B";
            "run by A, A got 1 in A, B got 1 in P";
            "run by B, A got 1 in A, B got 1 in B";
            "run by B, A got 1 in B, B got 1 in B";
            "run by B, A got 1 in P, B got 1 in B";
            "run by P, A got 1 in A, B got 1 in B";
            "run by P, A got 1 in A, B got 1 in P";
            "run by P, A got 1 in P, B got 1 in B";
            "run by P, A got 1 in P, B got 1 in judge";
            "run by P, A got 1 in judge, B got 1 in P";
          ]
        ~workers:3
    @@ fun crew notes ->
      let j = queued_task crew notes in
      waiter crew notes 0 "A" j;
      waiter crew notes 1 "B" j;
      Crew.worker crew 2 "P" Crew.steal_and_run;
      fun () ->
        String.concat ", "
          [ run_by notes j; ending_somewhere notes "A" [ "1" ]; ending_somewhere notes "B" [ "1" ] ] );
    ( scenario "a task, its maker waits, a thief, a callback" ~in_one_step:true ~undisturbed:true
        ~outcomes:
          [
            "run by A, A got 1 in A, callback in A";
            "run by A, A got 1 in A, callback in C";
            "run by P, A got 1 in A, callback in C";
            "run by P, A got 1 in A, callback in P";
            "run by P, A got 1 in P, callback in C";
            "run by P, A got 1 in P, callback in P";
            "run by P, A got 1 in judge, callback in P";
          ]
        ~workers:2
    @@ fun crew notes ->
      let j = queued_task crew notes in
      let called () = Notes.add notes "callback" in
      waiter crew notes 0 "A" j;
      Crew.worker crew 1 "P" Crew.steal_and_run;
      Process.spawn "C" (fun () -> if not (Job.add_waiter j (Callback called)) then called ());
      fun () ->
        String.concat ", "
          [ run_by notes j; ending_somewhere notes "A" [ "1" ]; "callback in " ^ Notes.once notes "callback" ]
    );
    ( scenario "a task, its maker waits, a thief, one quits" ~long:true ~in_one_step:true
        ~outcomes:
          [
            "run by A, A got 1, Q came late";
            "run by A, A got 1, Q quit";
            "run by A, A got 1, Q was called";
            "run by P, A got 1, Q came late";
            "run by P, A got 1, Q quit";
            "run by P, A got 1, Q was called";
          ]
        ~undisturbed:true ~workers:2
    @@ fun crew notes ->
      let j = queued_task crew notes in
      waiter crew notes 0 "A" j;
      Crew.worker crew 1 "P" Crew.steal_and_run;
      quitter notes "Q" j;
      fun () -> String.concat ", " [ run_by notes j; ending notes "A" [ "1" ]; end_of notes "Q" ] );
    ( scenario "a task, its maker runs on, a thief, an outsider waits"
        ~outcomes:[ "run by A, C got 1 in C"; "run by P, C got 1 in C" ]
        ~workers:2
    @@ fun crew notes ->
      let j = queued_task crew notes in
      Crew.worker crew 0 "A" Crew.run_own;
      Crew.worker crew 1 "P" Crew.steal_and_run;
      Process.spawn "C" (fun () -> Notes.add notes ("C got " ^ string_of_int (Fork_join.await j)));
      fun () -> run_by notes j ^ ", " ^ ending_somewhere notes "C" [ "1" ] );
  ]

(* --- tasks that perform effects --- *)

type _ Effect.t += Ask : int Effect.t

let answering notes name (n : int) f =
  let effc : type c. c Effect.t -> ((c, _) Effect.Deep.continuation -> _) option = function
    | Ask ->
        Some
          (fun k ->
            Notes.add notes (name ^ " answers");
            Effect.Deep.continue k n)
    | _ -> None
  in
  Effect.Deep.match_with f () { retc = Fun.id; exnc = raise; effc }

(* A task that asks so many times, and returns the sum of the answers. *)
let asking_task times =
  let rec ask n = if n = 0 then 0 else Effect.perform Ask + ask (n - 1) in
  Job.task Spawn_context.nobody (fun () -> ask times)

(* The same as a task of worker 0, which has asked already. *)
let task_that_asks (crew : Crew.t) times =
  let j = asking_task times and w = crew.workers.(0) in
  Worker.attach w;
  Worker_loop.execute w (Job.T j);
  Worker.detach w;
  j

(* [waiter] that answers with [n]. *)
let answerer crew notes i name n j =
  Crew.worker crew i name @@ fun w ->
  Crew.run w (fun () ->
      let how =
        match answering notes name n (fun () -> Fork_join.await j) with
        | v -> string_of_int v
        | exception Cancelled -> "cancelled"
        | exception Effect.Unhandled Ask -> "refused"
      in
      Notes.add notes (name ^ " got " ^ how));
  Crew.run_own w

let of_asks =
  [
    ( scenario "a task that asks, its awaiter, a thief"
        ~outcomes:[ "answered in A, A got 1 in A"; "answered in judge, A got 1 in judge" ]
        ~workers:2
    @@ fun crew notes ->
      let j = asking_task 1 in
      Worker.push crew.workers.(0) (Job.T j);
      answerer crew notes 0 "A" 1 j;
      Crew.worker crew 1 "P" Crew.steal_and_run;
      fun () -> "answered in " ^ Notes.once notes "A answers" ^ ", " ^ ending_somewhere notes "A" [ "1" ] );
    ( scenario "a task that asks, two awaiters" ~long:true ~in_one_step:true ~undisturbed:true
        ~outcomes:[ "A got 1, B got 1"; "A got 2, B got 2" ]
        ~workers:2
    @@ fun crew notes ->
      let j = task_that_asks crew 1 in
      answerer crew notes 0 "A" 1 j;
      answerer crew notes 1 "B" 2 j;
      fun () ->
        let sum = string_of_int (Job.get j) in
        ending notes "A" [ sum ] ^ ", " ^ ending notes "B" [ sum ] );
    ( scenario "a task that asks, its awaiter, a canceller" ~in_one_step:true ~undisturbed:true ~end_asks:true
        ~outcomes:[ "A got 1"; "A got cancelled"; "A got refused" ]
        ~workers:1
    @@ fun crew notes ->
      let j = task_that_asks crew 1 in
      answerer crew notes 0 "A" 1 j;
      canceller crew;
      fun () -> ending notes "A" [ "1"; "cancelled"; "refused" ] );
  ]

(* --- tasks that are cancelled --- *)

(* A task that would wait for ever. *)
let cancellable_task (crew : Crew.t) notes =
  let task = Cancellable.create () and never = Promise.create () in
  let run () =
    Notes.add notes "begun";
    Fork_join.await never
  in
  let j = Job.task Spawn_context.nobody (fun () -> Cancellable.run task run) in
  ignore (Job.add_waiter j (Cancellable.canceller task j ~ended:ignore) : bool);
  Worker.push crew.workers.(0) (Job.T j);
  j

let task_canceller j =
  let c = Option.get (Job.canceller j) in
  Process.spawn "C" (fun () -> c.cancel (Context.Cancelled "enough"))

let how_it_ended notes j =
  match Promise.peek j with
  | Some (Error (Context.Cancelled "enough", _)) ->
      if Notes.at_most_once notes "begun" = None then "cancelled" else "begun, cancelled"
  | _ -> Explore.violate "it was not cancelled"

let of_cancelled_tasks =
  [
    ( scenario "a task, its worker, a canceller" ~in_one_step:true
        ~outcomes:[ "cancelled"; "begun, cancelled" ] ~workers:1
    @@ fun crew notes ->
      let j = cancellable_task crew notes in
      Crew.worker crew 0 "A" Crew.run_own;
      task_canceller j;
      fun () -> how_it_ended notes j );
    ( scenario "a task, its worker, a waiter, a canceller" ~long:true ~in_one_step:true
        ~outcomes:[ "cancelled, B got cancelled"; "begun, cancelled, B got cancelled" ]
        ~workers:2
    @@ fun crew notes ->
      let j = cancellable_task crew notes in
      Crew.worker crew 0 "A" Crew.run_own;
      Crew.worker crew 1 "B" (fun w ->
          Crew.run w (fun () ->
              match Fork_join.await j with
              | () -> Explore.violate "it was not cancelled"
              | exception Context.Cancelled "enough" -> Notes.add notes "B got cancelled");
          Crew.run_own w);
      task_canceller j;
      fun () -> how_it_ended notes j ^ ", " ^ Notes.the_one notes [ "B got cancelled" ] );
  ]

let all = of_promises @ of_quitters @ of_tasks @ of_asks @ of_cancelled_tasks
