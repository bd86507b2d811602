type status = int array
type keep_alive = Keep_alive : 'a -> keep_alive

type awaits =
  | Request
  | Message of {
      source : int;
      tag : int;
      comm : Raw.comm;
      receive : Raw.message -> int -> Raw.request * keep_alive;
    }

type on_cancel = Go_on | Withdraw | Wait

type t = {
  what : string;
  mutable keep_alive : keep_alive;
  awaits : awaits;
  on_cancel : on_cancel;
  mutable request : Raw.request;
  mutable matched : status;
  status : status;
  outcome : unit Job.t;
  mutable reason : exn option; (* why the receive is given up; written before its order *)
}

let settle p outcome =
  match Job.try_settle p.outcome outcome with None -> () | Some waiters -> Resume.deliver p.outcome waiters

let error p code = Raw.Error { call = p.what; code; text = Raw.error_text code }
let raised exn = Job.Raised (Job.failure exn (Printexc.get_callstack 0))

(* After an error, MPI may still read or write what belonged to the request. *)
let abandoned : keep_alive list Atomic.t = Atomic.make []

let rec abandon p =
  let before = Atomic.get abandoned in
  if not (Atomic.compare_and_set abandoned before (p.keep_alive :: before)) then abandon p

let settle_failed p code =
  abandon p;
  settle p (raised (error p code))

(* The status has been written. *)
let settle_by_status p =
  let code = p.status.(Raw.error) in
  if code <> 0 then settle_failed p code else settle p (Returned ())

let try_request p times =
  Raw.test p.request p.status times
  && begin
       settle_by_status p;
       true
     end

(* What has completed is replaced in a table by this, so that nothing is kept alive by it. *)
let nothing =
  {
    what = "";
    keep_alive = Keep_alive ();
    awaits = Request;
    on_cancel = Go_on;
    request = Raw.no_request;
    matched = [||];
    status = [||];
    outcome = Job.pending ();
    reason = None;
  }
