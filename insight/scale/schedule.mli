(** Simulates work stealing on a recorded graph.

    Every worker has a deque. It pushes the tasks that it forks, and pops the youngest when it comes to the
    join. When its deque is empty, it steals the oldest task of a random worker that has some. That takes
    {e the cost of a steal}, after which the stolen task begins. A worker that joins a task of another worker
    suspends its fiber and takes other work; the worker that ends the task goes on with the fiber that waits
    for it. Apart from steals, only the runs of the graph take time. *)

type outcome = { time : int;  (** the nanoseconds until the end *) steals : int }

val run : ?seed:int -> workers:int -> steal:int -> Recorded.t -> (outcome, string) result
(** [run ~workers ~steal graph] simulates the graph, with [steal] in nanoseconds. The same arguments give the
    same outcome. [Error]: the graph halts before its end, which no recorded graph does. Takes O(log workers)
    for each step of the graph. *)
