(* What applies many operations is not cut in the middle by its caller's cancellation, whether the structure
   has a batch function or not. *)

open Support

(* Every operation can be cancelled; the 100th cancels its caller. *)
module Cutting = struct
  type t = { mutable applied : int; token : Weft.Cancel.t }
  type _ op = Add : unit op | Length : int op
  type packed = Op : 'a op * 'a Weft_batch.Cell.t -> packed

  let apply : type a. t -> a op -> a =
   fun t -> function
    | Length -> t.applied
    | Add ->
        Weft.Cancel.check ();
        Weft.yield ();
        t.applied <- t.applied + 1;
        if t.applied = 100 then Weft.Cancel.cancel t.token

  let apply_to_cell t (Op (op, cell)) =
    match apply t op with
    | v -> Weft_batch.Cell.resolve cell v
    | exception exn -> Weft_batch.Cell.fail cell exn (Printexc.get_raw_backtrace ())
end

let n = 10_000

module Is_not_cut (Batches : sig
  val run : (Cutting.t -> Cutting.packed array -> unit) option
end) =
struct
  module B = Weft_batch.Make (struct
    include Cutting
    include Batches
  end)

  let whole what ?limit act =
    let token = Weft.Cancel.create () in
    let b = B.create ?limit { applied = 0; token } in
    let cancelled () =
      act b;
      Weft.Cancel.check ()
    in
    (match Weft.Cancel.within token cancelled with
    | () -> Alcotest.failf "%s: not cancelled afterwards" what
    | exception Weft.Cancel.Cancelled _ -> ());
    check_int what n (B.exec b Length)

  let all () =
    let many b = ignore (B.exec_many b (Array.make n Cutting.Add) : unit array) in
    whole "exec_many" many;
    whole "exec_many, limited" ~limit:64 many;
    whole "exec_all" (fun b -> B.exec_all b n (fun _ -> Add));
    whole "exec_all, in pieces" (fun b -> B.exec_all ~whole:false b n (fun _ -> Add))

  let test () = on_each_size all
end

module With_batches = Is_not_cut (struct
  let run = Some (fun t ops -> Array.iter (Cutting.apply_to_cell t) ops)
end)

module Without_batches = Is_not_cut (struct
  let run = None
end)

let tests = [ case "with batches" With_batches.test; case "without batches" Without_batches.test ]
