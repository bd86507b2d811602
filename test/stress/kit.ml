exception Boom of int

let this_run = ref ""
let operations = Atomic.make 0
let fails = Atomic.make 0
let did n = ignore (Atomic.fetch_and_add operations n)

let check name holds =
  if not holds then begin
    Atomic.incr fails;
    Printf.printf "not so: %s (%s)\n%!" name !this_run
  end

let rng = ref (Random.State.make [| 0 |])
let rng_lock = Mutex.create ()
let seed n = rng := Random.State.make [| n |]
let next () = Mutex.protect rng_lock (fun () -> Random.State.bits !rng)

let split () =
  let first = next () in
  Random.State.make [| first; next () |]

let ri st n = Random.State.int st n
let tiny st = float (ri st 300) *. 1e-6

let spin n =
  for _ = 1 to n do
    Domain.cpu_relax ()
  done

let maybe_cancel st f =
  match ri st 6 with
  | 0 -> (
      match Weft.Cancel.with_timeout (tiny st) f with v -> Some v | exception Weft.Cancel.Timeout -> None)
  | 1 ->
      let t = Weft.Cancel.create () in
      let d = tiny st in
      let p =
        Weft.async (fun () ->
            Weft.sleep d;
            Weft.Cancel.cancel t)
      in
      let r = match Weft.Cancel.within t f with v -> Some v | exception Weft.Cancel.Cancelled _ -> None in
      Weft.await p;
      r
  | _ -> Some (f ())
