type t = {
  lock : Lock.t;
  asks : Job.asking Wait_queue.t;
  mutable news : unit Job.t; (* settled when there is something to look at *)
}

let create () = { lock = Lock.create (); asks = Wait_queue.create (); news = Job.pending () }

(* The teller changes something and then tells; the waiter puts a new job here and then looks. So one of
   them sees the other. *)
let tell t =
  let news = Lock.protect t.lock (fun () -> t.news) in
  match Job.try_settle news (Returned ()) with Some waiters -> Resume.deliver news waiters | None -> ()

let ask t a =
  let node = Wait_queue.node a in
  Lock.protect t.lock (fun () -> Wait_queue.add t.asks node);
  tell t;
  true

let waiter t = Job.Attendant { told = ignore; ask = ask t }

let first t ~news =
  Lock.protect t.lock (fun () ->
      t.news <- news;
      Wait_queue.take t.asks)

let rec wait t ~what ~cancel ~over =
  let news = Job.pending () in
  match first t ~news with
  | Some a ->
      Forward_effects.answer_at_once a;
      wait t ~what ~cancel ~over
  | None ->
      if not (over ()) then begin
        Suspend.suspend_until ~what ~cancel news;
        wait t ~what ~cancel ~over
      end
