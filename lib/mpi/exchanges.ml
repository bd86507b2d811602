open Bigarray

(* What one rank gives another one. *)
type 'a outcome = ('a, Failures.report) result

let nothing = Array1.create char c_layout 0

(* The [n] values of [f ()], and these marshalled, except value [kept], which stays on this rank. If [f]
   fails, or a value cannot be marshalled, the others are told that instead. *)
let marshalled_outcomes ?kept n f =
  let marshal i outcome = if Some i = kept then nothing else Values.marshal (outcome : _ outcome) in
  let both outcomes = (outcomes, Array.mapi marshal outcomes) in
  match
    Engine.check ();
    both (Array.map Result.ok (f ()))
  with
  | outcomes, data -> (outcomes, data, None)
  | exception exn ->
      let own = Failures.caught ~at:0 exn in
      let outcomes, data = both (Array.make n (Error (Failures.report own))) in
      (outcomes, data, Some own)

let report = function Ok _ -> None | Error report -> Some report

let raise_first_failure w own reports =
  Option.iter Failures.reraise (Failures.first ~rank:(World.rank w) own reports)

let values_or_raise w own (outcomes : _ outcome array) =
  raise_first_failure w own (Array.map report outcomes);
  Array.map Result.get_ok outcomes

let all_gather w f =
  let mine, data, own = marshalled_outcomes 1 (fun () -> [| f () |]) in
  values_or_raise w own
    (Values.all_gather_data (World.own w) ~kind:(World.current_function w) data.(0) mine.(0))

let all_to_all w f =
  let mine, data, own = marshalled_outcomes ~kept:(World.rank w) (World.size w) f in
  values_or_raise w own (Values.all_to_all_data (World.own w) ~kind:(World.current_function w) data mine)

let broadcast w ~root f =
  let mine, data, own =
    if World.rank w = root then
      let mine, data, own = marshalled_outcomes 1 (fun () -> [| f () |]) in
      (Some mine.(0), data.(0), own)
    else (None, nothing, None)
  in
  let data = Values.broadcast_data (World.own w) ~kind:(World.current_function w) ~root data in
  let outcome : _ outcome = match mine with Some outcome -> outcome | None -> Values.unmarshal data in
  raise_first_failure w own (Array.init (World.size w) (fun i -> if i = root then report outcome else None));
  Result.get_ok outcome

(* --- each for itself --- *)

(* Failures of the ranks themselves count before reports of another rank's failure. *)
let own_before_reported = function Failures.Elsewhere _ -> 1 | _ -> 0

(* One all-reduce by [Max] of three words. First: 1 if this rank failed. Second and third: the digest d of its
   function and [lognot d]; their maxima are the greatest d, and [lognot] of the least, so they are
   complements exactly if all are equal. *)
let all_succeed w own =
  let digest = World.(current_function w).expected in
  let words = [| (if Option.is_none own then 0L else 1L); digest; Int64.lognot digest |] in
  let cell = Array1.of_array int64 c_layout words in
  Engine.perform_to_the_end ~what:"MPI_Iallreduce" ~keep_alive:cell (fun () ->
      Raw.iallreduce cell cell Max (Communicator.side (World.own w)));
  cell.{0} = 0L && cell.{1} = Int64.lognot cell.{2}

let together w f =
  if World.size w = 1 then f ()
  else begin
    let outcome =
      match f () with v -> Ok v | exception exn -> Error (Failures.caught ~at:(own_before_reported exn) exn)
    in
    let own = Result.fold ~ok:(fun _ -> None) ~error:Option.some outcome in
    if not (all_succeed w own) then begin
      let report = Option.map Failures.report own in
      let kind = World.current_function w in
      raise_first_failure w own (Values.all_gather_data (World.own w) ~kind (Values.marshal report) report)
    end;
    Result.get_ok outcome
  end

(* The first of those that this rank knows of: its own failure, and those of [ranks]. *)
let raise_first_known w own ranks outcomes =
  let reports = Array.make (World.size w) None in
  List.iter2 (fun rank outcome -> reports.(rank) <- report outcome) ranks outcomes;
  reports.(World.rank w) <- Option.map Failures.report own;
  raise_first_failure w own reports

let gather w ~root f =
  let kept = if World.rank w = root then Some 0 else None in
  let mine, data, own = marshalled_outcomes ?kept 1 (fun () -> [| f () |]) in
  let all = Values.gather_data (World.own w) ~kind:(World.current_function w) ~root data.(0) mine.(0) in
  raise_first_known w own [] [];
  Option.map (values_or_raise w own) all

let swap w ranks f =
  let _, data, own = marshalled_outcomes (List.length ranks) (fun () -> Array.of_list (f ())) in
  let outcomes : _ outcome list =
    Values.swap_data (World.own w) ~kind:(World.current_function w) (List.combine ranks (Array.to_list data))
  in
  raise_first_known w own ranks outcomes;
  List.map Result.get_ok outcomes
