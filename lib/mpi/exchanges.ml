type 'a part = ('a, Failures.report) result

(* The part of this rank, marshalled: an array of [n]. If [f] fails, or a value cannot be marshalled, the others are
   told that instead. *)
let parts n f =
  match
    Engine.check ();
    let values = f () in
    (values, Array.map (fun v -> Values.marshal (Ok v : _ part)) values)
  with
  | values, data -> (Array.map Result.ok values, data, None)
  | exception exn ->
      let own = Failures.caught ~at:0 exn in
      let part : _ part = Error (Failures.report own) in
      (Array.make n part, Array.make n (Values.marshal part), Some own)

let report = function Ok _ -> None | Error report -> Some report
let check w own reports = Option.iter Failures.reraise (Failures.first ~rank:(World.rank w) own reports)

let values w own (parts : _ part array) =
  check w own (Array.map report parts);
  Array.map Result.get_ok parts

let all_gather w f =
  let mine, data, own = parts 1 (fun () -> [| f () |]) in
  values w own (Values.all_gather_data (World.own w) data.(0) mine.(0))

let all_to_all w f =
  let mine, data, own = parts (World.size w) f in
  values w own (Values.all_to_all_data (World.own w) data mine)

let broadcast w ~root f =
  let mine, data, own =
    if World.rank w = root then
      let mine, data, own = parts 1 (fun () -> [| f () |]) in
      (Some mine.(0), data.(0), own)
    else (None, Values.marshal (), None)
  in
  let data = Values.broadcast_data (World.own w) ~root data in
  let part : _ part = match mine with Some part -> part | None -> Values.unmarshal data in
  check w own (Array.init (World.size w) (fun i -> if i = root then report part else None));
  Result.get_ok part
