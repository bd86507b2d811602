open Weft_bench_harness
open Weft_bench_contestants

(* {1 Victims} *)

type victim = { name : string; doc : string; unit_of_work : unit -> unit }

let microseconds = 30
let text = lazy (String.make 16_384 'x')

let victims =
  [
    {
      name = "victim-forks";
      doc = "a victim that forks";
      unit_of_work = (fun () -> ignore (Fib.par 16 : int));
    };
    {
      name = "victim-allocates";
      doc = "a victim that allocates";
      unit_of_work =
        (fun () ->
          for _ = 1 to 5 do
            ignore (Sys.opaque_identity (List.init 1_000 Fun.id) : int list)
          done);
    };
    {
      name = "victim-loops";
      doc = "a victim in a loop that neither forks nor allocates";
      unit_of_work = (fun () -> Microseconds.spend (microseconds * Microseconds.per_microsecond ()));
    };
    {
      name = "victim-c";
      doc = "a victim in a C function that computes";
      unit_of_work = (fun () -> ignore (Sys.opaque_identity (Digest.string (Lazy.force text)) : string));
    };
  ]

(* {1 Jobs} *)

type t = {
  pushed : int Atomic.t;
  begun : int Atomic.t;
  began : float array;
  ended : float array;  (** [nan] if the job has not waited until the next one was there *)
  where : int array;  (** the domain *)
}

let create n =
  {
    pushed = Atomic.make 0;
    begun = Atomic.make 0;
    began = Array.make n nan;
    ended = Array.make n nan;
    where = Array.make n (-1);
  }

let here () = (Domain.self () :> int)
let patience = 0.002

(* Ends at a random moment of the victim's unit. *)
let job t i () =
  t.began.(i) <- Clock.now ();
  t.where.(i) <- here ();
  Atomic.incr t.begun;
  let until = t.began.(i) +. patience in
  while Atomic.get t.pushed <= i + 1 && Clock.now () < until do
    Domain.cpu_relax ()
  done;
  let is_followed = Atomic.get t.pushed > i + 1 in
  Busy.spin (i * 7_919 mod 8_000);
  if is_followed then t.ended.(i) <- Clock.now ()

(* {1 A run} *)

type seen = {
  waits : float array;
  with_steal : float array;
  without : float array;
  pushed : int;
  begun : int;
}

let timed f =
  let from = Clock.now () in
  f ();
  Clock.now () -. from

(* In seconds. *)
let longest_run n = 0.5 +. (float_of_int n *. 0.001)

let waits (t : t) ~victim =
  let wait i =
    let is_thief = t.where.(i) <> victim && t.where.(i + 1) = t.where.(i) in
    if is_thief && not (Float.is_nan t.ended.(i)) then Some (t.began.(i + 1) -. t.ended.(i)) else None
  in
  Array.of_seq (Seq.filter_map wait (Seq.init (max 0 (Array.length t.began - 1)) Fun.id))

let run n { unit_of_work; _ } () =
  let t = create n and victim = here () and promises = ref [] in
  let with_steal = ref [] and without = ref [] in
  let over = Clock.now () +. longest_run n in
  let rec is_taken i =
    Atomic.get t.begun > i
    || Clock.now () < over
       && begin
            unit_of_work ();
            is_taken i
          end
  in
  let rec steals i =
    if i < n then begin
      promises := Weft.async (job t i) :: !promises;
      Atomic.set t.pushed (i + 1);
      let seconds = timed unit_of_work in
      if Atomic.get t.begun > i && t.where.(i) <> victim then with_steal := seconds :: !with_steal;
      if is_taken i then begin
        without := timed unit_of_work :: !without;
        steals (i + 1)
      end
    end
  in
  steals 0;
  let pushed = Atomic.get t.pushed in
  Atomic.set t.pushed max_int;
  List.iter Weft.await !promises;
  {
    waits = waits t ~victim;
    with_steal = Array.of_list !with_steal;
    without = Array.of_list !without;
    pushed;
    begun = Atomic.get t.begun;
  }

(* {1 What it shows} *)

let loss name q { with_steal; without; _ } =
  if with_steal = [||] || without = [||] then []
  else
    let value = (Figure.quantile q with_steal -. Figure.quantile q without) *. 1e6 in
    [ { Figure.title = Printf.sprintf "loss %s us" name; value } ]

let figures ~seconds:_ seen : Figure.t list =
  ({ Figure.title = "steals"; value = float_of_int (Array.length seen.waits) } :: loss "median" 0.5 seen)
  @ loss "p99" 0.99 seen
  @ Figure.distribution ~what:"wait" seen.waits

(* {1 The benchmark} *)

let way victim : Benchmark.way =
  let work ({ size; domains; cutoff = _ } : Benchmark.params) =
    if domains = 2 then
      Some
        (Benchmark.Work
           {
             prepare =
               (fun () ->
                 ignore (Microseconds.per_microsecond () : int);
                 run size victim);
             compute = (fun run -> run ());
             check = (fun { pushed; begun; _ } -> Operations.count "jobs" pushed begun);
             forks = None;
             figures;
           })
    else None
  in
  {
    contestant = { name = victim.name; doc = victim.doc; role = Contender; inside = Weft_pool.fibers.inside };
    work;
  }

let benchmark =
  {
    (Operations.benchmark ~name:"steal" ~doc:"how long a thief waits for a job, and what its victim loses"
       ~size_doc:"the number of steals" ~default_size:2_000 (List.map way victims))
    with
    paced = true;
    quick_size = Fun.const 100;
    sizes = (0, 1_000_000);
  }
