open Weft_bench_harness

type 'c input = { counter : 'c; answers : int array }

let check n answers ~final =
  let seen = Bytes.make n '\000' in
  let note x = if x >= 0 && x < n then Bytes.set seen x '\001' in
  Array.iter note answers;
  let missing = Bytes.index_opt seen '\000' in
  let wrong expected got = Error { Benchmark.expected; got } in
  match missing with
  | Some x -> wrong (Printf.sprintf "every answer from 0 to %d" (n - 1)) (Printf.sprintf "none that is %d" x)
  | None when final <> n -> wrong (Printf.sprintf "%d in the end" n) (string_of_int final)
  | None -> Ok ()

let subject ?(figures = fun _ -> []) ~make ~fetch_add ~get () =
  Single.Subject
    {
      prepare = (fun n -> { counter = make (); answers = Array.make n (-1) });
      step = (fun { counter; answers } i -> answers.(i) <- fetch_add counter 1);
      check = (fun n { counter; answers } -> check n answers ~final:(get counter));
      figures = (fun { counter; _ } -> figures counter);
    }

module Sequential = Weft_containers.Counter
module Batched = Weft_batch.Counter

let make () = Sequential.create ()
let sequential = subject ~make ~fetch_add:Sequential.fetch_add ~get:Sequential.get ()

let coarse =
  subject
    ~make:(fun () -> (Mutex.create (), make ()))
    ~fetch_add:(fun (mutex, counter) x -> Subject.holding mutex (fun () -> Sequential.fetch_add counter x))
    ~get:(fun (_, counter) -> Sequential.get counter)
    ()

let lockfree = subject ~make:(fun () -> Atomic.make 0) ~fetch_add:Atomic.fetch_and_add ~get:Atomic.get ()

let batched =
  subject
    ~make:(fun () -> Batched.create ())
    ~fetch_add:Batched.fetch_add ~get:Batched.get
    ~figures:(fun counter -> Methods.statistics (Batched.stats counter))
    ()

let benchmark ~group =
  Single.benchmark ~group ~name:"batch_counter" ~doc:"one added to a counter, which answers what it was"
    ~default_size:1_000_000 ~sequential ~unlocked:sequential ~coarse ~lockfree batched
