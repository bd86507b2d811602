(* Nothing can interrupt a process between a step on [changes] and its next step. *)
type 'a t = { changes : int Cell.t; queue : 'a Queue.t }

let create () = { changes = Cell.make ~show:string_of_int "injector" 0; queue = Queue.create () }
let change q = ignore (Cell.fetch_and_add q.changes 1)

let push q x =
  change q;
  Queue.push x q.queue

let push_yielded = push

let is_empty q =
  ignore (Cell.get q.changes);
  Queue.is_empty q.queue

let is_ready q = not (is_empty q)

let pop q ~nil =
  if is_empty q then nil
  else begin
    change q;
    Option.value (Queue.take_opt q.queue) ~default:nil
  end
