module Traced = Dscheck.TracedAtomic

(* [In_hand]: no other process touches the cell at the same time. *)
type writer = Any | Not_yet | Only of int | Nobody | In_hand

type 'a t = {
  cell : 'a Traced.t;
  name : string;
  show : 'a -> string;
  mutable writer : writer;
  mutable changes : int;
}

(* [check] calls its argument without tracing. *)
let without_a_step f =
  let result = ref None in
  Traced.check (fun () ->
      result := Some (f ());
      true);
  Option.get !result

let make ?(show = fun _ -> "") ?(one_writer = false) ?(steps = true) name v =
  let cell = without_a_step (fun () -> Traced.make v) in
  { cell; name; show; writer = (if one_writer then Not_yet else if steps then Any else In_hand); changes = 0 }

let constant name v = { (make name v) with writer = Nobody }
let claim c = if Process.current () >= 0 then c.writer <- Only (Process.current ())

let step c f ~show =
  match c.writer with
  | Nobody | In_hand -> without_a_step f
  | Any | Not_yet | Only _ -> Process.step c.name f ~version:(fun () -> c.changes) ~show

let get c =
  match c.writer with
  | Only p when p = Process.current () -> without_a_step (fun () -> Traced.get c.cell)
  | _ -> step c (fun () -> Traced.get c.cell) ~show:(fun v -> " is " ^ c.show v)

(* The judgement may write every cell. *)
let about_to_write c =
  let p = Process.current () in
  match c.writer with
  | Not_yet when p >= 0 -> c.writer <- Only p
  | Only q when p >= 0 && p <> q -> failwith (c.name ^ " has two writers")
  | Nobody -> failwith (c.name ^ " is written")
  | Any | Not_yet | Only _ | In_hand -> ()

let changing c f ~show =
  about_to_write c;
  let f () =
    let v = f () in
    c.changes <- c.changes + 1;
    v
  in
  step c f ~show

let set c v = changing c (fun () -> Traced.set c.cell v) ~show:(fun () -> " := " ^ c.show v)

let exchange c v =
  changing c
    (fun () -> Traced.exchange c.cell v)
    ~show:(fun was -> Printf.sprintf " := %s, was %s" (c.show v) (c.show was))

let compare_and_set c was now =
  about_to_write c;
  let f () =
    let done_so = Traced.compare_and_set c.cell was now in
    if done_so then c.changes <- c.changes + 1;
    done_so
  in
  let show done_so =
    Printf.sprintf ": %s -> %s %s" (c.show was) (c.show now) (if done_so then "done" else "refused")
  in
  step c f ~show

let fetch_and_add c n =
  changing c
    (fun () -> Traced.fetch_and_add c.cell n)
    ~show:(fun was -> Printf.sprintf " += %d, was %d" n was)
