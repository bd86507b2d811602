type t = Plain | Worker | Fallback | Helper

let of_string = function
  | "plain" -> Plain
  | "worker" -> Worker
  | "fallback" -> Fallback
  | "helper" -> Helper
  | other -> invalid_arg other

let until condition =
  while not (condition ()) do
    Unix.sleepf 0.001
  done

let the_pool = lazy (Weft.Pool.create ~name:"two" ~domains:2 ())
let pool () = Lazy.force the_pool
let single = lazy (Weft.Pool.create ~name:"one" ~domains:1 ())

(* The left side waits until the right one has been stolen. *)
let in_worker pool f =
  Weft.Pool.run pool @@ fun () ->
  let begun = Atomic.make false in
  snd
    (Weft.par
       (fun () ->
         while not (Atomic.get begun) do
           Domain.cpu_relax ()
         done)
       (fun () ->
         Atomic.set begun true;
         f ()))

let in_fallback f =
  let result = Weft.Pool.async (Lazy.force single) f in
  until (fun () -> Weft.Promise.is_settled result);
  Weft.await result

let run place f =
  let f () =
    assert (not (Domain.is_main_domain ()));
    f ()
  in
  match place with
  | Plain -> Domain.join (Domain.spawn f)
  | Worker -> in_worker (pool ()) f
  | Fallback -> in_fallback f
  | Helper -> Weft.Pool.run (pool ()) (fun () -> Weft.blocking f)
