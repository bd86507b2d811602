type 'body way = {
  one : 'body -> int -> unit; (* this index *)
  run : 'body -> int -> int -> unit; (* these indices in turn *)
  run_rest : 'body -> int -> int -> int; (* as a loop of unknown cost: see [Loop.block_found] *)
  singly : int; (* in stretches of at most so many, each index can be given up *)
  growth : int; (* of one stretch to the next *)
}

type 'body t = {
  body : 'body;
  way : 'body way;
  rest : Deferred_rest.t;
  mutable last : int; (* the last index that the owner has begun, or will begin whatever happens *)
  mutable until : int; (* where the stretch ends *)
  mutable forked : unit Job.t list; (* all that follows [last], if the fiber was suspended *)
}

(* What is left of the stretch becomes a job, too. *)
let promote t context =
  if t.forked == [] then begin
    let job = Deferred_rest.job t.rest in
    if Deferred_rest.take_back t.rest then Promotion.queue job;
    t.forked <- (if Deferred_rest.is_left t.rest then [ job ] else []);
    if t.last < t.until then begin
      let next = t.last + 1 and last = t.until in
      let run () = ignore (t.way.run_rest t.body next last : int) in
      let j = Job.fork context run in
      t.until <- t.last;
      t.forked <- j :: t.forked;
      Promotion.queue j
    end
  end

(* [last] is written where [until] was read, before the call: see [Short_loop]. *)
let rec singly t i =
  t.way.one t.body i;
  if i < t.until then begin
    t.last <- i + 1;
    singly t (i + 1)
  end

let longest = 256

(* What is claimed is the owner's, even if the loop is promoted between [claim] and the stretch. *)
let rec stretches t first n =
  if t.last = first then singly t first else t.way.run t.body first t.last;
  if t.forked == [] then begin
    let before = t.until and until = Deferred_rest.claim t.rest n in
    if before < until then begin
      let first = before + 1 in
      t.until <- until;
      t.last <- (if until - first < t.way.singly then first else until);
      stretches t first (Int.min longest (n * t.way.growth))
    end
  end

let rec end_all jobs exn =
  match jobs with
  | [] -> Printexc.raise_with_backtrace exn (Printexc.get_raw_backtrace ())
  | j :: jobs -> end_all jobs (match Fork_join.left_failed j exn with _ -> exn | exception exn -> exn)

let rec join_all = function
  | [] -> ()
  | j :: jobs -> ( match Fork_join.join j with () -> join_all jobs | exception exn -> end_all jobs exn)

(* Calls that wait are not short. *)
let ended t known code =
  if t.forked == [] then Deferred_rest.join t.rest
  else begin
    Known_cost.distrust known code;
    join_all t.forked
  end

let[@inline never] failed t exn =
  if t.forked == [] then Deferred_rest.failed t.rest exn else end_all t.forked exn

let over way deque known code body start finish =
  let run first =
    let n = way.run_rest body first finish in
    if first < finish then Known_cost.found known code n
  in
  Stack_room.(ensure call);
  let rest = Deferred_rest.make deque known code ~start ~until:start ~finish run in
  let outer = Loops.here deque in
  let t = { body; way; rest; last = start; until = start; forked = [] } in
  Loops.enter deque ~outer t promote;
  match
    Deferred_rest.offer rest;
    stretches t start way.growth
  with
  | () ->
      Loops.set (Current_worker.deque ()) outer;
      ended t known code
  | exception exn ->
      Loops.set (Current_worker.deque ()) outer;
      failed t exn
