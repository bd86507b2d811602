open Pending

(* The first to wait comes first. *)
let wanted : Pending.t Queue.t = Queue.create ()
let queued = ref 0 (* also while [look] has some in hand *)

(* --- who waits --- *)

(* By communicator and tag, and by communicator alone. Numbers that fall together only cost a direct path. *)
let counters = Array.init 256 (fun _ -> Atomic.make 0)
let counter comm tag = counters.(Hashtbl.hash ((comm : Raw.comm :> int), tag) land 255)
let any_tag = -1
let all_tags = -2

let count p by =
  match p.awaits with
  | Request -> ()
  | Message m ->
      let add counter = ignore (Atomic.fetch_and_add counter by : int) in
      add (counter m.comm m.tag);
      add (counter m.comm all_tags)

let is_submitted p = count p 1
let no_longer_waits p = count p (-1)

let is_behind_others p =
  let some comm tag = Atomic.get (counter comm tag) > 0 in
  match p.awaits with
  | Request -> false
  | Message m -> if m.tag < 0 then some m.comm all_tags else some m.comm m.tag || some m.comm any_tag

(* --- matching --- *)

let lacks_message p = match p.awaits with Message _ -> p.request = Raw.no_request | Request -> false

(* Writes the status of the message, or an error code. *)
let probe p =
  match p.awaits with Request -> Raw.no_message | Message m -> Raw.matching m.source m.tag m.comm p.status

let give p message (status : status) =
  p.matched <- Array.copy status;
  match p.awaits with
  | Request -> ()
  | Message m -> (
      match m.receive message status.(Raw.bytes) with
      | request, keep_alive ->
          p.keep_alive <- keep_alive;
          p.request <- request
      | exception exn -> settle p (raised exn))

let has_failed p =
  let code = p.status.(Raw.error) in
  code <> 0
  && begin
       settle_failed p code;
       true
     end

let try_match p =
  let message = probe p in
  if message = Raw.no_message then has_failed p
  else begin
    give p message p.status;
    true
  end

let leaves p =
  decr queued;
  no_longer_waits p

let is_given p message status =
  leaves p;
  give p message status;
  if not (Job.is_settled p.outcome || try_request p 1) then Request_table.watch p

(* Whether [p] wants what [other] has found. *)
let wants_as_well p other =
  match (p.awaits, other.awaits) with
  | Message m, Message n ->
      m.comm = n.comm
      && (m.source < 0 || m.source = other.status.(Raw.source))
      && (m.tag < 0 || m.tag = other.status.(Raw.tag))
  | (Request | Message _), _ -> false

let remove_from queue p =
  let others = Queue.create () in
  Queue.iter (fun q -> if q != p then Queue.add q others) queue;
  Queue.clear queue;
  Queue.transfer others queue

(* [p] has found a message that came after all of [passed] had looked: the first of them that wants it gets
   it. *)
let give_to_first passed p message =
  match Seq.find (fun q -> wants_as_well q p) (Queue.to_seq passed) with
  | None -> is_given p message p.status
  | Some first ->
      remove_from passed first;
      Queue.add p passed;
      is_given first message p.status

(* Whether one has come. Those that are left keep their order. *)
let look () =
  let found = ref false and passed = Queue.create () in
  while not (Queue.is_empty wanted) do
    let p = Queue.take wanted in
    let message = probe p in
    if message <> Raw.no_message then begin
      found := true;
      give_to_first passed p message
    end
    else if has_failed p then begin
      found := true;
      leaves p
    end
    else Queue.add p passed
  done;
  Queue.transfer passed wanted;
  !found

let withdraw p =
  if Seq.exists (fun q -> q == p) (Queue.to_seq wanted) then begin
    remove_from wanted p;
    leaves p;
    Option.iter (fun exn -> settle p (raised exn)) p.reason
  end

let add p =
  if Job.is_settled p.outcome then no_longer_waits p
  else begin
    incr queued;
    Queue.add p wanted
  end

let are_none () = Queue.is_empty wanted
let[@inline never] length () = !queued
