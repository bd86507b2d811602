let scenario ?(long = false) ?(undisturbed = false) name ~outcomes ~workers set_up : Scenario.t =
  let set_up () =
    Undisturbed.promise undisturbed;
    let notes = Notes.make () in
    let crew = Crew.make workers in
    let judge = set_up crew notes in
    fun () ->
      Crew.run_rest crew;
      judge ()
  in
  { name; long; outcomes; set_up }

let side notes name value () =
  Notes.add notes name;
  value

(* Runs [f] as a fiber of worker 0, which then runs what is left in its deque. Notes where the fiber ended,
   and checks that it ended with [expected]. *)
let fiber crew notes f expected =
  Crew.worker crew 0 "owner" @@ fun w ->
  Crew.run w (fun () ->
      let result = match f () with v -> Ok v | exception exn -> Error exn in
      Notes.add notes (if result = expected then "end" else "wrong end"));
  Crew.run_own w

let thieves crew names = List.iteri (fun i name -> Crew.worker crew (i + 1) name Crew.steal_and_run) names

let places notes whats =
  String.concat ", " (List.map (fun what -> Printf.sprintf "%s: %s" what (Notes.once notes what)) whats)

let if_at_all notes what = what ^ ": " ^ Option.value ~default:"nobody" (Notes.at_most_once notes what)

type _ Effect.t += Ask : int Effect.t

let all : Scenario.t list =
  [
    ( scenario "a join whose right side performs an effect of the joiner's"
        ~outcomes:[ "answer: P, right: judge, end: judge"; "answer: owner, right: owner, end: owner" ]
        ~workers:2
    @@ fun crew notes ->
      let handled f =
        let effc : type c. c Effect.t -> ((c, _) Effect.Deep.continuation -> _) option = function
          | Ask ->
              Some
                (fun k ->
                  Notes.add notes "answer";
                  Effect.Deep.continue k 2)
          | _ -> None
        in
        Effect.Deep.match_with f () { retc = Fun.id; exnc = raise; effc }
      in
      fiber crew notes
        (fun () ->
          handled (fun () ->
              Fork_join.par (side notes "left" 1) (fun () ->
                  let n = Effect.perform Ask in
                  Notes.add notes "right";
                  n)))
        (Ok (1, 2));
      thieves crew [ "P" ];
      fun () -> places notes [ "answer"; "right"; "end" ] );
    ( scenario "a join and a thief"
        ~outcomes:
          [
            "left: owner, right: P, end: P";
            "left: owner, right: P, end: owner";
            "left: owner, right: owner, end: owner";
          ]
        ~workers:2
    @@ fun crew notes ->
      fiber crew notes (fun () -> Fork_join.par (side notes "left" 1) (side notes "right" 2)) (Ok (1, 2));
      thieves crew [ "P" ];
      fun () -> places notes [ "left"; "right"; "end" ] );
    ( scenario "a join and two thieves"
        ~outcomes:
          [
            "right: P, end: P";
            "right: P, end: owner";
            "right: Q, end: Q";
            "right: Q, end: owner";
            "right: owner, end: owner";
          ]
        ~workers:3
    @@ fun crew notes ->
      fiber crew notes (fun () -> Fork_join.par (side notes "left" 1) (side notes "right" 2)) (Ok (1, 2));
      thieves crew [ "P"; "Q" ];
      fun () -> places notes [ "right"; "end" ] );
    ( scenario "a join in the left side of a join"
        ~outcomes:
          [
            "middle: owner, right: P, end: P";
            "middle: owner, right: P, end: owner";
            "middle: owner, right: owner, end: owner";
          ]
        ~workers:2
    @@ fun crew notes ->
      fiber crew notes
        (fun () ->
          Fork_join.par
            (fun () -> Fork_join.par (side notes "left" 1) (side notes "middle" 2))
            (side notes "right" 3))
        (Ok ((1, 2), 3));
      thieves crew [ "P" ];
      fun () -> places notes [ "middle"; "right"; "end" ] );
    ( scenario "a join in the right side of a join, two thieves" ~long:true ~undisturbed:true
        ~outcomes:
          [
            "middle: P, right: P, end: P";
            "middle: P, right: P, end: owner";
            "middle: P, right: Q, end: P";
            "middle: P, right: Q, end: Q";
            "middle: P, right: Q, end: owner";
            "middle: Q, right: P, end: P";
            "middle: Q, right: P, end: Q";
            "middle: Q, right: P, end: owner";
            "middle: Q, right: Q, end: Q";
            "middle: Q, right: Q, end: owner";
            "middle: owner, right: P, end: P";
            "middle: owner, right: P, end: owner";
            "middle: owner, right: Q, end: Q";
            "middle: owner, right: Q, end: owner";
            "middle: owner, right: owner, end: owner";
          ]
        ~workers:3
    @@ fun crew notes ->
      fiber crew notes
        (fun () ->
          Fork_join.par (side notes "left" 1) (fun () ->
              Fork_join.par (side notes "middle" 2) (side notes "right" 3)))
        (Ok (1, (2, 3)));
      thieves crew [ "P"; "Q" ];
      fun () -> places notes [ "middle"; "right"; "end" ] );
    ( scenario "a join in the left side of a join, two thieves" ~long:true ~undisturbed:true
        ~outcomes:
          [
            "middle: P, right: P, end: P";
            "middle: P, right: Q, end: P";
            "middle: P, right: Q, end: Q";
            "middle: P, right: Q, end: owner";
            "middle: P, right: owner, end: owner";
            "middle: Q, right: P, end: P";
            "middle: Q, right: P, end: Q";
            "middle: Q, right: P, end: owner";
            "middle: Q, right: Q, end: Q";
            "middle: Q, right: owner, end: owner";
            "middle: owner, right: P, end: P";
            "middle: owner, right: P, end: owner";
            "middle: owner, right: Q, end: Q";
            "middle: owner, right: Q, end: owner";
            "middle: owner, right: owner, end: owner";
          ]
        ~workers:3
    @@ fun crew notes ->
      fiber crew notes
        (fun () ->
          Fork_join.par
            (fun () -> Fork_join.par (side notes "left" 1) (side notes "middle" 2))
            (side notes "right" 3))
        (Ok ((1, 2), 3));
      thieves crew [ "P"; "Q" ];
      fun () -> places notes [ "middle"; "right"; "end" ] );
    ( scenario "a join whose left side leaves a task above"
        ~outcomes:
          [
            "task: owner, right: P, end: P";
            "task: owner, right: P, end: owner";
            "task: owner, right: owner, end: owner";
          ]
        ~workers:2
    @@ fun crew notes ->
      fiber crew notes
        (fun () ->
          Fork_join.par
            (fun () ->
              ignore (Fork_join.async (side notes "task" ()));
              1)
            (side notes "right" 2))
        (Ok (1, 2));
      thieves crew [ "P" ];
      fun () -> places notes [ "task"; "right"; "end" ] );
    ( scenario "a join whose left side waits"
        ~outcomes:[ "right: P, end: P"; "right: owner, end: P"; "right: owner, end: owner" ]
        ~workers:2
    @@ fun crew notes ->
      let promise = Promise.create () in
      fiber crew notes
        (fun () -> Fork_join.par (fun () -> Fork_join.await promise) (side notes "right" 2))
        (Ok (1, 2));
      Crew.worker crew 1 "P" (fun w ->
          Promise.resolve promise 1;
          Crew.run_own w);
      fun () -> places notes [ "right"; "end" ] );
    ( scenario "a join whose left side raises"
        ~outcomes:[ "right: P, end: P"; "right: P, end: owner"; "right: nobody, end: owner" ]
        ~workers:2
    @@ fun crew notes ->
      fiber crew notes (fun () -> Fork_join.par (fun () -> raise Exit) (side notes "right" 2)) (Error Exit);
      thieves crew [ "P" ];
      fun () -> if_at_all notes "right" ^ ", " ^ places notes [ "end" ] );
    ( scenario "a join whose sides raise"
        ~outcomes:[ "right: P, end: P"; "right: P, end: owner"; "right: nobody, end: owner" ]
        ~workers:2
    @@ fun crew notes ->
      fiber crew notes
        (fun () ->
          Fork_join.par
            (fun () -> raise Exit)
            (fun () ->
              Notes.add notes "right";
              raise Not_found))
        (Error Exit);
      thieves crew [ "P" ];
      fun () -> if_at_all notes "right" ^ ", " ^ places notes [ "end" ] );
  ]
