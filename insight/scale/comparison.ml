open Weft_bench_harness

type row = {
  name : string;
  figures : Recorded.figures;
  predicted : float;
  lower : float;
  upper : float;
  measured : float;
}

let usual = [ "fib"; "nqueens"; "lu"; "sort_ints"; "for_irregular" ]

let find name =
  match List.find_opt (fun (b : Benchmark.t) -> String.equal b.name name) Weft_bench_suites.Suites.all with
  | Some b -> Ok b
  | None -> Error (Printf.sprintf "there is no benchmark '%s' (see weft bench --list)" name)

(* --- one benchmark --- *)

let weft's (b : Benchmark.t) params =
  List.find_map
    (fun (way : Benchmark.way) ->
      match way.contestant.role with
      | Contender -> Option.map (fun work -> (way.contestant, work)) (way.work params)
      | Baseline | Beside -> None)
    b.ways

let seconds f =
  let before = Weft_platform.Timer_thread.now () in
  let v = f () in
  (v, float_of_int (Weft_platform.Timer_thread.now () - before) *. 1e-9)

exception Wrong of string

let checked name check v =
  match check v with
  | Ok () -> ()
  | Error ({ expected; got } : Benchmark.wrong) ->
      raise (Wrong (Printf.sprintf "%s: a wrong result: %s instead of %s" name got expected))

let median xs = Figure.quantile 0.5 (Array.of_list xs)

let recorded profile =
  let saved =
    Program.with_temporary @@ fun file ->
    match Weft.Profile.save file profile with
    | () -> Recorded.read file
    | exception Sys_error why -> Error ("cannot write the profile: " ^ why)
  in
  match saved with
  | Ok (Profile p) -> p
  | Ok (Times _ | Unfinished) -> raise (Wrong "a profile that is none")
  | Error message -> raise (Wrong message)

let run ~domains ~rounds ~steal ?size (b : Benchmark.t) =
  let cutoff = match b.default_cutoffs with c :: _ -> c | [] -> None in
  let size = match size with Some n -> n | None -> b.default_size cutoff in
  let name = Benchmark.case ~name:b.name ~grain:b.grain ~size cutoff in
  match weft's b { size; cutoff; domains } with
  | None -> Error (Printf.sprintf "benchmark %s has no way that uses Weft" b.name)
  | Some (contestant, Work { prepare; compute; check; _ }) -> (
      let timed domains =
        let input = prepare () in
        let v, took = contestant.inside ~domains (fun () -> seconds (fun () -> compute input)) in
        checked name check v;
        took
      in
      let round () =
        let one = timed 1 in
        one /. timed domains
      in
      match
        let input = prepare () in
        let v, profile = Weft.Profile.run ~burden:(float_of_int steal *. 1e-9) (fun () -> compute input) in
        checked name check v;
        let p = recorded profile in
        ignore (round ());
        (p, median (List.init rounds (fun _ -> round ())))
      with
      | exception Wrong message -> Error message
      | p, measured ->
          Result.map
            (fun (c : Curve.t) ->
              let point = List.hd c.points in
              {
                name;
                figures = p.total;
                predicted = Option.value point.simulated ~default:point.lower;
                lower = point.lower;
                upper = point.upper;
                measured;
              })
            (Curve.make ~workers:[ domains ] ~steal p))

let difference row = (row.predicted -. row.measured) /. row.measured

(* --- telling --- *)

let text ~domains rows =
  let cells row =
    [
      row.name;
      Words.duration row.figures.work;
      Words.duration row.figures.span;
      Words.ratio (Words.parallelism row.figures);
      Printf.sprintf "%.2f" row.lower;
      Printf.sprintf "%.2f" row.predicted;
      Printf.sprintf "%.2f" row.upper;
      Printf.sprintf "%.2f" row.measured;
      Printf.sprintf "%+.1f %%" (100. *. difference row);
    ]
  in
  Printf.sprintf "Speed-up by %d domains\n" domains
  ^ Words.table
      ([
         "benchmark";
         "work";
         "span";
         "parallelism";
         "at least";
         "predicted";
         "at most";
         "measured";
         "difference";
       ]
      :: List.map cells rows)

let json ~domains rows : Yojson.Safe.t =
  let row r =
    `Assoc
      ([ ("name", `String r.name) ]
      @ Words.figures_to_json r.figures
      @ [
          ("lower_bound", `Float r.lower);
          ("predicted", `Float r.predicted);
          ("upper_bound", `Float r.upper);
          ("measured", `Float r.measured);
          ("difference", `Float (difference r));
        ])
  in
  `Assoc [ ("domains", `Int domains); ("rows", `List (List.map row rows)) ]
