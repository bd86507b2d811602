(** A structure to test the core with: an int, which notes what is done to it. *)

type t = {
  mutable value : int;
  mutable inside : int;  (** how many callers are inside *)
  mutable batches : int list;  (** sizes, the last first *)
  mutable order : int list;  (** the additions, the last first *)
  mutable break : int -> unit;  (** called with the size of a batch, in its middle *)
}

type _ op =
  | Add : int -> int op  (** returns the value before *)
  | Get : int op
  | Fail : exn -> unit op
  | Call : (unit -> 'a) -> 'a op

type packed = Op : 'a op * 'a Weft_batch.Cell.t -> packed

let make () = { value = 0; inside = 0; batches = []; order = []; break = ignore }

let apply_inside : type a. t -> a op -> a =
 fun t -> function
  | Add n ->
      let before = t.value in
      t.value <- before + n;
      t.order <- n :: t.order;
      before
  | Get -> t.value
  | Fail exn -> raise exn
  | Call f -> f ()

(* Two at once would be seen. Nothing is allocated where a signal's exception would leave [inside] wrong. *)
let alone t f =
  let others = t.inside <> 0 in
  t.inside <- t.inside + 1;
  match f () with
  | v ->
      t.inside <- t.inside - 1;
      if others then failwith "two at the structure at once";
      v
  | exception exn ->
      t.inside <- t.inside - 1;
      raise exn

let apply t op = alone t (fun () -> apply_inside t op)

let run t ops =
  alone t (fun () ->
      let n = Array.length ops in
      t.batches <- n :: t.batches;
      Array.iteri
        (fun i (Op (op, cell)) ->
          if i = n / 2 then t.break n;
          match apply_inside t op with
          | v -> Weft_batch.Cell.resolve cell v
          | exception exn -> Weft_batch.Cell.fail cell exn (Printexc.get_raw_backtrace ()))
        ops)

let run = Some run
