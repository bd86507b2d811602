type t = {
  here : unit Job.state;
  finish : int;
  left : int Atomic.t; (* iterations that nobody has begun: the last ones *)
  is_called : bool Atomic.t; (* a helper is queued *)
  helpers : unit Job.t list Atomic.t; (* all, but those that have returned and were removed *)
  made : int Atomic.t; (* how many there are, those that have returned included *)
  returned : int Atomic.t;
}

let make ~here ~finish ~left =
  {
    here;
    finish;
    left = Atomic.make left;
    is_called = Atomic.make false;
    helpers = Atomic.make [];
    made = Atomic.make 0;
    returned = Atomic.make 0;
  }

let most_helpers = 10_000

let rec take r b =
  let left = Atomic.get r.left in
  if left = 0 || Atomic.compare_and_set r.left left (left - Int.min b left) then left else take r b

let first r ~left = r.finish - left + 1
let stop r = Atomic.set r.left 0

(* --- helpers --- *)

let rec update r f =
  let was = Atomic.get r.helpers in
  if not (Atomic.compare_and_set r.helpers was (f was)) then update r f

(* One that has raised is joined. *)
let has_returned (j : unit Job.t) = match Job.state j with Returned () -> true | _ -> false

let call r ~queue help =
  let present = Atomic.get r.made - Atomic.get r.returned in
  if Atomic.get r.left > 0 && present < most_helpers && not (Atomic.exchange r.is_called true) then begin
    let run () =
      Atomic.set r.is_called false;
      help ();
      Atomic.incr r.returned
    in
    let j = Job.fork r.here run in
    update r (List.cons j);
    if Atomic.fetch_and_add r.made 1 land 1023 = 1023 then
      update r (List.filter (fun j -> not (has_returned j)));
    queue j
  end

let rec pop r =
  match Atomic.get r.helpers with
  | [] -> None
  | j :: others as was -> if Atomic.compare_and_set r.helpers was others then Some j else pop r

let rec end_all r exn =
  stop r;
  match pop r with
  | None -> Printexc.raise_with_backtrace exn (Printexc.get_raw_backtrace ())
  | Some j -> end_all r (match Fork_join.left_failed j exn with _ -> exn | exception exn -> exn)

(* A helper that is joined may have called others before. *)
let rec join_all r =
  match pop r with
  | None -> ()
  | Some j -> ( match Fork_join.drop_or_join j with () -> join_all r | exception exn -> end_all r exn)
