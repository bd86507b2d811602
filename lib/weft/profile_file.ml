type region = {
  name : string;
  parent : int;
  calls : int;
  work : int;
  span : int;
  burdened : int;
  own : int;
  on_path : int;
}

type t = {
  workers : int;
  work : int;
  span : int;
  burdened : int;
  elsewhere : int;
  burden : int;
  overhead : int;
  grain : int;
  outside : int option;
  regions : region list;
  graph : Task_graph.t;
  main : Task_graph.task;
  ns : int -> int;
}

module Replaced_file = Weft_platform.Replaced_file

let first_line = "weft-profile 1"

(* Tasks are numbered as they are met, and written in that order. *)
type numbers = { writing : int; mutable met : int; waiting : Task_graph.task Queue.t }

let writings = Atomic.make 1

let number n (task : Task_graph.task) =
  if task.writing <> n.writing then begin
    task.writing <- n.writing;
    task.number <- n.met;
    n.met <- n.met + 1;
    Queue.add task n.waiting
  end;
  task.number

let write_task out t n (task : Task_graph.task) =
  let steps = List.rev (if task.run > 0 then Task_graph.Run task.run :: task.steps else task.steps) in
  Printf.fprintf out "task %d\n" (List.length steps);
  List.iter
    (fun step ->
      match (step : Task_graph.step) with
      | Run ticks -> Printf.fprintf out "R %d " (t.ns ticks)
      | Fork task -> Printf.fprintf out "F %d " (number n task)
      | Join task -> Printf.fprintf out "J %d " (number n task)
      | Post event -> Printf.fprintf out "P %d " (Task_graph.number event)
      | Wait event -> Printf.fprintf out "W %d " (Task_graph.number event)
      | Idle ticks -> Printf.fprintf out "I %d " (t.ns ticks))
    steps;
  Out_channel.output_char out '\n'

let write_graph out t =
  let n = { writing = Atomic.fetch_and_add writings 1; met = 0; waiting = Queue.create () } in
  ignore (number n t.main);
  let rec all () =
    match Queue.take_opt n.waiting with
    | None -> ()
    | Some task ->
        write_task out t n task;
        all ()
  in
  all ()

let write_all out t =
  let line fmt = Printf.fprintf out (fmt ^^ "\n") in
  line "%s" first_line;
  line "workers %d" t.workers;
  line "total %d %d %d" t.work t.span t.burdened;
  line "elsewhere %d" t.elsewhere;
  line "settings %d %d %d" t.burden t.overhead t.grain;
  Option.iter (line "outside %d") t.outside;
  line "cut %d" (Bool.to_int (Task_graph.is_cut t.graph));
  List.iter
    (fun (r : region) ->
      line "region %d %d %d %d %d %d %d %S" r.parent r.calls r.work r.span r.burdened r.own r.on_path r.name)
    t.regions;
  write_graph out t;
  line "end"

(* A reader of the file sees either the first line alone or the whole profile. A pipe's reader would take that
   line for all. *)
let begin_file path =
  if Replaced_file.is_file path then
    Replaced_file.write path (fun out -> Out_channel.output_string out (first_line ^ " unfinished\n"))

let write path t = Replaced_file.write path (fun out -> write_all out t)

let write_times path ns =
  Replaced_file.write path (fun out -> Printf.fprintf out "%s\ncalls %d\nend\n" first_line ns)
