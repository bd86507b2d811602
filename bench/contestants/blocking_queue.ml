type 'a t = {
  capacity : int;
  elements : 'a Queue.t;
  mutex : Mutex.t;
  not_empty : Condition.t;
  not_full : Condition.t;
}

let create capacity =
  if capacity < 1 then invalid_arg "Blocking_queue.create: capacity < 1";
  {
    capacity;
    elements = Queue.create ();
    mutex = Mutex.create ();
    not_empty = Condition.create ();
    not_full = Condition.create ();
  }

let send q x =
  Mutex.lock q.mutex;
  while Queue.length q.elements >= q.capacity do
    Condition.wait q.not_full q.mutex
  done;
  Queue.add x q.elements;
  Condition.signal q.not_empty;
  Mutex.unlock q.mutex

let recv q =
  Mutex.lock q.mutex;
  while Queue.is_empty q.elements do
    Condition.wait q.not_empty q.mutex
  done;
  let x = Queue.take q.elements in
  Condition.signal q.not_full;
  Mutex.unlock q.mutex;
  x
