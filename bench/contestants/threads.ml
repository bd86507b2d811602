(* {1 The domains} *)

(* The requests to each domain except the caller's; [None] ends it. *)
let posts : (unit -> unit) option Blocking_queue.t array ref = ref [||]

let rec serve post =
  match Blocking_queue.recv post with
  | None -> ()
  | Some job ->
      job ();
      serve post

let with_domains ~domains f () =
  let made = ref [] in
  let make () =
    let post = Blocking_queue.create max_int in
    made := (post, Domain.spawn (fun () -> serve post)) :: !made
  in
  let finally () =
    posts := [||];
    List.iter (fun (post, _) -> Blocking_queue.send post None) !made;
    List.iter (fun (_, domain) -> Domain.join domain) !made
  in
  Fun.protect ~finally (fun () ->
      for _ = 2 to domains do
        make ()
      done;
      posts := Array.of_list (List.map fst !made);
      f ())

let contestant : Weft_bench_harness.Contestant.t =
  {
    name = "threads";
    doc = "system threads spread over the domains, with OCaml's Mutex and Condition";
    role = Contender;
    inside = (fun ~domains f -> Domain.join (Domain.spawn (with_domains ~domains f)));
  }

let event : Weft_bench_harness.Contestant.t =
  {
    contestant with
    name = "event";
    doc = "system threads spread over the domains, with OCaml's Event channels";
  }

let stdlib : Weft_bench_harness.Contestant.t =
  { contestant with name = "stdlib"; doc = "OCaml's Mutex, a system thread in each domain" }

(* {1 The parties} *)

let run parties =
  let parties = Array.of_list parties in
  let n = Array.length parties and domains = 1 + Array.length !posts in
  let results = Array.make n None and ended = Blocking_queue.create max_int in
  let play i () =
    let result =
      match parties.(i) () with v -> Ok v | exception e -> Error (e, Printexc.get_raw_backtrace ())
    in
    results.(i) <- Some result
  in
  let rec threads i = if i >= n then [] else Thread.create (play i) () :: threads (i + domains) in
  let play_from i = List.iter Thread.join (threads i) in
  let ask k post =
    Blocking_queue.send post
      (Some
         (fun () ->
           play_from (k + 1);
           Blocking_queue.send ended ()))
  in
  Array.iteri ask !posts;
  play_from 0;
  Array.iter (fun _ -> Blocking_queue.recv ended) !posts;
  let result = function
    | Some (Ok v) -> v
    | Some (Error (e, backtrace)) -> Printexc.raise_with_backtrace e backtrace
    | None -> failwith "Threads.run: a party has not been called"
  in
  List.map result (Array.to_list results)
