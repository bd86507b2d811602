type load = { name : string; doc : string; fill : over:bool Atomic.t -> (unit -> unit) array -> unit }

let spin n =
  for _ = 1 to n do
    ignore (Sys.opaque_identity n)
  done

(* Repeats [step] in one fiber for each element of [began], until [over]. *)
let in_each step ~over began =
  Weft.Scope.run @@ fun scope ->
  Array.iteri
    (fun i began ->
      ignore
        (Weft.Scope.async scope (fun () ->
             began ();
             while not (Atomic.get over) do
               step ~over i
             done)
          : unit Weft.promise))
    began

let awaits =
  {
    name = "awaits";
    doc = "tasks that are started and awaited";
    fill = in_each (fun ~over:_ _ -> Weft.await (Weft.async (fun () -> spin 50)));
  }

let rec fib ~over n =
  if n < 2 || Atomic.get over then n
  else
    let a, b = Weft.par (fun () -> fib ~over (n - 1)) (fun () -> fib ~over (n - 2)) in
    a + b

let forks = { name = "forks"; doc = "forks"; fill = in_each (fun ~over _ -> ignore (fib ~over 60 : int)) }

let loops =
  {
    name = "loops";
    doc = "loops";
    fill =
      in_each (fun ~over _ ->
          Weft.parallel_for ~start:1 ~finish:1_000_000
            ~body:(fun _ -> if not (Atomic.get over) then spin 20)
            ());
  }

let numbers = lazy (Array.init 100_000 (fun i -> i * 7919 mod 100_003))

let sorts =
  {
    name = "sorts";
    doc = "sorts";
    fill =
      (fun ~over began ->
        let numbers = Lazy.force numbers in
        in_each (fun ~over:_ _ -> Weft.Array.sort Int.compare (Array.copy numbers)) ~over began);
  }

module Tree = Weft_batch.Red_black.Make (Int)

let batches =
  {
    name = "batches";
    doc = "batches";
    fill =
      (fun ~over began ->
        let tree = Tree.create () in
        let step ~over:_ i =
          let from = Random.int 1_000_000 in
          if i land 1 = 0 then Tree.add tree from i
          else Tree.add_all tree (Array.init 1_000 (fun k -> (from * 7919 * (k + 1) land 0xfffff, k)))
        in
        in_each step ~over began);
  }

let semaphores =
  {
    name = "semaphores";
    doc = "fibers that share a semaphore";
    fill =
      (fun ~over began ->
        let semaphore = Weft.Semaphore.create 2 in
        in_each (fun ~over:_ _ -> Weft.Semaphore.protect semaphore (fun () -> spin 10_000)) ~over began);
  }

(* Closing the channels at the end wakes the fibers that still wait. *)
let channels =
  {
    name = "channels";
    doc = "fibers that send each other messages";
    fill =
      (fun ~over began ->
        let channels = Array.init ((Array.length began + 1) / 2) (fun _ -> Weft.Chan.bounded 16) in
        let last = Array.length began - 1 in
        let step ~over:_ i =
          let channel = channels.(i / 2) in
          if i land 1 = 1 then Weft.Chan.recv channel
          else if i = last then begin
            Weft.Chan.send channel ();
            Weft.Chan.recv channel
          end
          else Weft.Chan.send channel ()
        in
        let step ~over i =
          match step ~over i with () -> () | exception Weft.Chan.Closed when Atomic.get over -> ()
        in
        Weft.Scope.run @@ fun scope ->
        ignore
          (Weft.Scope.async scope (fun () ->
               while not (Atomic.get over) do
                 Weft.sleep 0.001
               done;
               Array.iter Weft.Chan.close channels)
            : unit Weft.promise);
        in_each step ~over began);
  }

let blocking =
  {
    name = "blocking";
    doc = "calls that block";
    fill = in_each (fun ~over:_ _ -> Weft.blocking (fun () -> Unix.sleepf 0.001));
  }

let beside load ~domains f =
  let over = Atomic.make false and filled = Weft.Promise.create () in
  let enough = min domains (Domain.recommended_domain_count ()) and running = Atomic.make 0 in
  let began () = if Atomic.fetch_and_add running 1 = enough - 1 then Weft.Promise.resolve filled () in
  Weft.Scope.run @@ fun scope ->
  ignore
    (Weft.Scope.async scope (fun () -> load.fill ~over (Array.make (2 * domains) began)) : unit Weft.promise);
  Fun.protect
    ~finally:(fun () -> Atomic.set over true)
    (fun () ->
      Weft.await filled;
      f ())
