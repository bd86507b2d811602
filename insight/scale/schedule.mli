(** Work stealing, simulated on a recorded graph.

    Every worker has a deque: it puts there what it forks, takes the youngest back when it comes to the join,
    and, when it has nothing left, takes the eldest of another worker that has some, by chance. That takes
    {e the cost of a steal}, after which the stolen task begins. Who joins a task that another worker runs
    leaves its fiber, and takes other work; whoever ends the task goes on with the fiber that waits for it.
    All else takes no time but the runs of the graph. *)

type outcome = { time : int;  (** nanoseconds until the end *) steals : int }

val run : ?seed:int -> workers:int -> steal:int -> Recorded.t -> (outcome, string) result
(** [run ~workers ~steal graph], with [steal] in nanoseconds. The same outcome for the same arguments.
    [Error]: the graph comes to a halt before its end, as no graph does that was recorded. O(steps of the
    graph and log of the workers at each). *)
