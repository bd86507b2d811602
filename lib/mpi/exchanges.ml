open Bigarray

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
  values w own (Values.all_gather_data (World.own w) ~kind:(World.call w) data.(0) mine.(0))

let all_to_all w f =
  let mine, data, own = parts (World.size w) f in
  values w own (Values.all_to_all_data (World.own w) ~kind:(World.call w) data mine)

let broadcast w ~root f =
  let mine, data, own =
    if World.rank w = root then
      let mine, data, own = parts 1 (fun () -> [| f () |]) in
      (Some mine.(0), data.(0), own)
    else (None, Values.marshal (), None)
  in
  let data = Values.broadcast_data (World.own w) ~kind:(World.call w) ~root data in
  let part : _ part = match mine with Some part -> part | None -> Values.unmarshal data in
  check w own (Array.init (World.size w) (fun i -> if i = root then report part else None));
  Result.get_ok part

(* --- each for itself --- *)

(* What another rank has told this one comes behind the failures themselves. *)
let order = function Failures.Elsewhere _ -> 1 | _ -> 0

(* The greatest of all ranks' words is 0 if none has failed; those of all digests and their complements are complements
   if all digests are equal. *)
let all_succeed w own =
  let digest = World.(call w).expected in
  let words = [| (if Option.is_none own then 0L else 1L); digest; Int64.lognot digest |] in
  let cell = Array1.of_array int64 c_layout words in
  Engine.perform_to_the_end ~what:"MPI_Iallreduce" ~keep_alive:cell (fun () ->
      Raw.iallreduce cell cell Max (Communicator.side (World.own w)));
  cell.{0} = 0L && cell.{1} = Int64.lognot cell.{2}

let together w f =
  if World.size w = 1 then f ()
  else begin
    let outcome =
      match f () with v -> Ok v | exception exn -> Error (Failures.caught ~at:(order exn) exn)
    in
    let own = Result.fold ~ok:(fun _ -> None) ~error:Option.some outcome in
    if not (all_succeed w own) then begin
      let report = Option.map Failures.report own in
      let kind = World.call w in
      check w own (Values.all_gather_data (World.own w) ~kind (Values.marshal report) report)
    end;
    Result.get_ok outcome
  end

(* What this rank knows of: its own failure, and those of [ranks]. *)
let check_some w own ranks parts =
  let reports = Array.make (World.size w) None in
  List.iter2 (fun rank part -> reports.(rank) <- report part) ranks parts;
  reports.(World.rank w) <- Option.map Failures.report own;
  check w own reports

let gather w ~root f =
  let mine, data, own = parts 1 (fun () -> [| f () |]) in
  let all = Values.gather_data (World.own w) ~kind:(World.call w) ~root data.(0) mine.(0) in
  check_some w own [] [];
  Option.map (values w own) all

let swap w ranks f =
  let _, data, own = parts (List.length ranks) (fun () -> Array.of_list (f ())) in
  let parts : _ part list =
    Values.swap_data (World.own w) ~kind:(World.call w) (List.combine ranks (Array.to_list data))
  in
  check_some w own ranks parts;
  List.map Result.get_ok parts
