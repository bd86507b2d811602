(* philosophers: Dijkstra's dining philosophers. N philosophers sit around a table, with a fork between any
   two; a philosopher needs the fork on the left and the one on the right to eat. Each philosopher is a
   fiber, each fork a mutex: a philosopher who waits for a fork blocks no domain, so there may be
   thousands. *)

open Console

(* The exit codes; [--help] explains them. *)
let all_ate = 0
let deadlock = 1
let cannot_print = 2
let not_all_ate = 3
let complain format = Command_line.complain "philosophers" format

(** {1 The dinner} *)

type fork = { mutex : Weft.Mutex.t; mutable uses : int  (** changed by the holder of the fork *) }
type table = { forks : fork array; everybody_has_one : Weft.Barrier.t }

let lay ~philosophers =
  {
    forks = Array.init philosophers (fun _ -> { mutex = Weft.Mutex.create (); uses = 0 });
    everybody_has_one = Weft.Barrier.create philosophers;
  }

(* If another philosopher held the fork meanwhile, one of the two uses would be lost. *)
let with_fork fork f =
  Weft.Mutex.protect fork.mutex (fun () ->
      let uses = fork.uses in
      f ();
      fork.uses <- uses + 1)

(* How many meals philosopher [i] has had in the end. *)
let dine table ~naive ~meals i =
  let left = i and right = (i + 1) mod Array.length table.forks in
  (* A philosopher who holds a fork waits only for one with a higher number: so there is no circle of
     waiters. *)
  let first, second = if naive then (left, right) else (min left right, max left right) in
  let eaten = ref 0 in
  for _ = 1 to meals do
    with_fork table.forks.(first) (fun () ->
        (* This barrier makes the deadlock certain; without it, it would happen only by chance. *)
        if naive then ignore (Weft.Barrier.wait table.everybody_has_one : int);
        with_fork table.forks.(second) (fun () ->
            incr eaten;
            (* Lets others try meanwhile. *)
            Weft.yield ()))
  done;
  !eaten

(* How often each philosopher ate, and how often each fork was used. *)
let dinner ~philosophers ~naive ~meals =
  let table = lay ~philosophers in
  let eaten =
    Weft.Scope.run (fun scope ->
        let sit_down i = Weft.Scope.async scope (fun () -> dine table ~naive ~meals i) in
        List.map Weft.await (List.init philosophers sit_down))
  in
  (eaten, Array.map (fun fork -> fork.uses) table.forks)

(** {1 The program} *)

let print ~meals (eaten, uses) =
  List.iteri (fun i n -> Printf.printf "philosopher %d ate %s\n" (i + 1) (Printable.counted n "time")) eaten;
  Printf.printf "each of the %s was used %s\n"
    (Printable.counted (Array.length uses) "fork")
    (Printable.counted (2 * meals) "time")

let is_right ~meals (eaten, uses) =
  List.for_all (Int.equal meals) eaten && Array.for_all (Int.equal (2 * meals)) uses

let run philosophers meals naive domains =
  match Weft.run ?domains (fun () -> dinner ~philosophers ~naive ~meals) with
  | exception (Weft.Deadlock.Deadlock _ as report) ->
      complain "%s" (Printexc.to_string report);
      deadlock
  | result when not (is_right ~meals result) ->
      complain "a philosopher did not eat, or two held the same fork; this is a bug";
      not_all_ate
  | result -> (
      match Command_line.print (fun () -> print ~meals result) with
      | Ok () -> all_ate
      | Error message ->
          complain "cannot write the result: %s" message;
          cannot_print)

(** {1 The command line} *)

open Cmdliner

let philosophers =
  let doc = "How many philosophers there are, 2 to 100000; each is a fiber." in
  Arg.(value & opt (Command_line.between 2 100_000) 5 & info [ "philosophers" ] ~docv:"N" ~doc)

let meals =
  let doc = "How often each philosopher wants to eat." in
  Arg.(value & opt (Command_line.at_least 1) 1000 & info [ "meals" ] ~docv:"N" ~doc)

let naive =
  let doc =
    "Every philosopher takes the left fork, waits until all have one, and then wants the right one: a \
     deadlock. Weft finds it, and the program ends with its report."
  in
  Arg.(value & flag & info [ "naive" ] ~doc)

let command =
  let man =
    [
      `S Manpage.s_description;
      `P
        "Philosophers around a table, with a fork between any two, each think and eat by turns; to eat, one \
         needs both forks next to one. They do not starve because each takes first the fork with the lower \
         number. The program prints how often each has eaten, and checks that nobody shared a fork.";
    ]
  and exits =
    Cmd.Exit.
      [
        info all_ate ~doc:"if all philosophers ate as often as they wanted.";
        info deadlock ~doc:"if they waited for each other ($(b,--naive)).";
        info cannot_print ~doc:"if the result could not be written.";
        info not_all_ate ~doc:"if one did not eat, or two held the same fork, which is a bug.";
        info Cmd.Exit.cli_error ~doc:"if the command line is wrong.";
        info Cmd.Exit.internal_error ~doc:"on an unexpected error, which is a bug.";
      ]
  in
  Cmd.v
    (Cmd.info "philosophers" ~doc:"dining philosophers, as fibers with mutexes" ~man ~exits)
    Term.(const run $ philosophers $ meals $ naive $ Command_line.domains)

let () = exit (Cmd.eval' command)
