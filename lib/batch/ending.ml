open Weft_platform
open Combiner

(* What is to be done next, should a signal's exception come in between. *)
type 'p ending = {
  mutable stage : stage;
  mutable mine : Waiters.message list;  (** to those whose waits are to be ended *)
  mutable others : 'p word list;  (** that were in line with them *)
  entered : bool ref;
}

and stage = Find | Put_back | Pass_on | Tell | Dismiss | Done

let find t (p : Waiters.party) e exn =
  match Publication_list.look t.gate with
  | Idle | Busy -> e.stage <- Done
  | chain ->
      let rec split word mine others =
        match caller_of word with
        | None -> (mine, others)
        | Some (Fiber (_, q) as caller) when q == p ->
            split (next_of word) (Waiters.ending caller exn :: mine) others
        | Some _ -> split (next_of word) mine (word :: others)
      in
      let mine, others = split chain [] [] in
      if mine = [] then e.stage <- Done
      else begin
        e.mine <- mine;
        e.others <- others;
        if Publication_list.take_if t.gate chain then e.stage <- Put_back
      end

let rec go_on t p e exn =
  match e.stage with
  | Done -> ()
  | stage ->
      (match stage with
      | Find -> find t p e exn
      | Put_back ->
          Publication_list.put_back t.gate e.others ~entered:e.entered;
          e.stage <- Pass_on
      | Pass_on ->
          e.stage <- Tell;
          (* The owner may have left meanwhile: then there must be another one. *)
          if !(e.entered) then pass_on t
      | Tell -> (
          match e.mine with
          | [] -> e.stage <- Dismiss
          | m :: others ->
              ignore (Waiters.send m : bool);
              e.mine <- others)
      | Dismiss ->
          Waiters.dismiss p;
          e.stage <- Done
      | Done -> ());
      go_on t p e exn

let end_party t p exn =
  let e = { stage = Find; mine = []; others = []; entered = ref false } in
  Interrupt.complete (fun () -> go_on t p e exn)
