let key : int Bindings.key = Bindings.key ()
let bound () = Bindings.find key ~default:0 (Locals.current ())
let within v f = Locals.within (Bindings.add key v (Locals.current ())) f

let expect what v =
  let found = bound () in
  if found <> v then Explore.violate "%s saw %d, not %d" what found v

(* Notes who runs it; it must see [v], which is its result. *)
let side notes what v () =
  Notes.add notes what;
  expect what v;
  v

let scenario name ~outcomes ~workers set_up : Scenario.t =
  let set_up () =
    let notes = Notes.make () in
    let crew = Crew.make workers in
    let judge = set_up crew notes in
    fun () ->
      Crew.run_rest crew;
      Array.iter
        (fun (w : Worker.t) ->
          if Spawn_context.here w.deque != Spawn_context.nobody then
            Explore.violate "worker %d is left with a context" w.index)
        crew.workers;
      judge ()
  in
  { name; long = false; outcomes; set_up }

(* A fiber of worker 0, which begins and ends without bindings. *)
let fiber (crew : Crew.t) notes f =
  Crew.worker crew 0 "owner" @@ fun w ->
  Crew.run w (fun () ->
      expect "the fiber's begin" 0;
      f ();
      expect "the fiber's end" 0;
      Notes.add notes "end");
  Crew.run_own w

let places notes whats =
  String.concat ", " (List.map (fun what -> Printf.sprintf "%s: %s" what (Notes.once notes what)) whats)

let par_within notes v ~left =
  within v (fun () ->
      let a, b = Fork_join.par left (side notes "right" v) in
      expect "the joiner" v;
      if (a, b) <> (v, v) then Explore.violate "a wrong result")

let all : Scenario.t list =
  [
    ( scenario "a join with something bound, and a thief"
        ~outcomes:[ "right: P, end: P"; "right: P, end: owner"; "right: owner, end: owner" ]
        ~workers:2
    @@ fun crew notes ->
      fiber crew notes (fun () -> par_within notes 1 ~left:(fun () -> bound ()));
      Crew.worker crew 1 "P" (fun w ->
          Crew.steal_and_run w;
          expect "the thief, afterwards" 0);
      fun () -> places notes [ "right"; "end" ] );
    ( scenario "two joins with something bound, and a thief"
        ~outcomes:
          [
            "first: P, second: P, end: P";
            "first: P, second: owner, end: owner";
            "first: owner, second: P, end: P";
            "first: owner, second: P, end: owner";
            "first: owner, second: owner, end: owner";
          ]
        ~workers:2
    @@ fun crew notes ->
      fiber crew notes (fun () ->
          within 1 (fun () ->
              ignore (Fork_join.par bound (side notes "first" 1));
              ignore (Fork_join.par bound (side notes "second" 1));
              expect "the joiner" 1));
      Crew.worker crew 1 "P" Crew.steal_and_run;
      fun () -> places notes [ "first"; "second"; "end" ] );
    ( scenario "a join with something bound, whose left side waits"
        ~outcomes:[ "right: P, end: P"; "right: owner, end: P"; "right: owner, end: owner" ]
        ~workers:2
    @@ fun crew notes ->
      let promise = Promise.create () in
      let left () =
        let v = Fork_join.await promise in
        expect "the left side, after waiting" 1;
        v
      in
      fiber crew notes (fun () -> par_within notes 1 ~left);
      Crew.worker crew 1 "P" (fun w ->
          Promise.resolve promise 1;
          Crew.run_own w);
      fun () -> places notes [ "right"; "end" ] );
    ( scenario "two tasks, awaited with something else bound, and a thief"
        ~outcomes:
          [
            "bound: owner, unbound: P, end: P";
            "bound: owner, unbound: P, end: owner";
            "bound: owner, unbound: owner, end: owner";
          ]
        ~workers:2
    @@ fun crew notes ->
      fiber crew notes (fun () ->
          let unbound = Fork_join.async (side notes "unbound" 0) in
          let bound = within 1 (fun () -> Fork_join.async (side notes "bound" 1)) in
          within 2 (fun () ->
              ignore (Fork_join.await bound);
              expect "the awaiter of the first" 2;
              ignore (Fork_join.await unbound);
              expect "the awaiter of both" 2));
      Crew.worker crew 1 "P" Crew.steal_and_run;
      fun () -> places notes [ "bound"; "unbound"; "end" ] );
  ]
