type 'a t = 'a Job.t

let who what = "Weft.Promise." ^ what

(* --- making and settling --- *)

let create = Job.pending
let of_value = Job.returned

let try_settle what p outcome =
  match Job.try_settle p outcome with
  | None -> None
  | Some _ as waiters -> waiters
  | exception Job.Not_created -> invalid_arg (who what ^ ": this promise belongs to a task, which settles it")

let settled_already what = invalid_arg (who what ^ ": the promise is settled already")

let try_resolve_as what p v =
  match try_settle what p (Returned v) with
  | None -> false
  | Some waiters ->
      Worker.deliver p waiters;
      true

let try_reject_as what backtrace p exn =
  let backtrace = match backtrace with Some b -> b | None -> Printexc.get_raw_backtrace () in
  let failure = Job.failure exn backtrace in
  (* Before it is settled: whoever observes it from then on must find it watched. *)
  Job.watch failure ~pool:"";
  match try_settle what p (Raised failure) with
  | None ->
      ignore (Job.observe failure);
      false
  | Some waiters ->
      Worker.deliver p waiters;
      true
  | exception misuse ->
      ignore (Job.observe failure);
      raise misuse

let try_resolve p v = try_resolve_as "try_resolve" p v
let try_reject ?backtrace p exn = try_reject_as "try_reject" backtrace p exn
let resolve p v = if not (try_resolve_as "resolve" p v) then settled_already "resolve"
let reject ?backtrace p exn = if not (try_reject_as "reject" backtrace p exn) then settled_already "reject"

(* --- asking --- *)

let await = Fork_join.await
let is_settled = Job.is_settled

let peek (p : _ t) =
  match p.state with
  | Returned v -> Some (Ok v)
  | Raised f -> Some (Error (Job.observe f))
  | Fork _ | Task _ | Taken _ | Bare | Pending | Wanted _ | Awaited _ | Expected _ -> None

(* --- combining --- *)

let map f p = Fork_join.async (fun () -> f (await p))
let outcome p = match await p with v -> Ok v | exception exn -> Error (exn, Printexc.get_raw_backtrace ())
let get = function Ok v -> v | Error (exn, backtrace) -> Printexc.raise_with_backtrace exn backtrace

let both p q =
  Fork_join.async (fun () ->
      let a = outcome p in
      let b = outcome q in
      let a = get a in
      (a, get b))

let all ps =
  Fork_join.async (fun () ->
      let outcomes = List.map outcome ps in
      List.map get outcomes)

let any ps =
  if ps = [] then invalid_arg (who "any" ^ ": an empty list");
  let first = create () in
  let left = Atomic.make (List.length ps) in
  (* Called by the settling thread, which must not be held up: no waiting here. *)
  let settled p () =
    match peek p with
    | Some (Ok v) -> ignore (try_resolve first v)
    | Some (Error _) | None ->
        if Atomic.fetch_and_add left (-1) = 1 then
          (* All have failed. *)
          List.find_map (fun p -> match peek p with Some (Error e) -> Some e | _ -> None) ps
          |> Option.iter (fun (exn, backtrace) -> ignore (try_reject ~backtrace first exn))
  in
  List.iter (fun p -> if not (Job.add_waiter p (Callback (settled p))) then settled p ()) ps;
  first

module Private = struct
  external of_job : 'a Job.t -> 'a t = "%identity"
  external to_job : 'a t -> 'a Job.t = "%identity"
end
