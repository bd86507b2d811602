(* A call that asks for a turn carries the function that runs when it gets one. *)
type word = (string, unit -> unit) Publication_list.word

type t = {
  notes : Notes.t;
  published : (string, unit -> unit) Publication_list.t;
  inside : bool Atomic.t;
  mutable taken : word list; (* the owner's: calls taken off the publication list, not yet served *)
  mutable order : string list; (* the owner's: calls applied, the last first *)
}

(* Two steps, so that another process inside would be seen. *)
let apply t call =
  if Atomic.exchange t.inside true then Explore.violate "%s: not alone" call;
  Notes.add t.notes call;
  t.order <- call :: t.order;
  Atomic.set t.inside false

(* The eldest first. *)
let in_order chain =
  let rec from found (word : word) =
    match word with
    | Call { next; _ } | Turn { next; _ } -> from (word :: found) next
    | Busy -> found
    | Idle -> Explore.violate "what is this in line?"
  in
  let found = from [] chain in
  if List.length found <> Publication_list.depth chain then
    Explore.violate "%d in a chain of depth %d" (List.length found) (Publication_list.depth chain);
  found

(* --- the owner, see Combiner: it may be another one after each turn --- *)

let rec pass_on t = if not (t.taken = [] && Publication_list.leave t.published) then serve t

and serve t =
  if t.taken = [] then t.taken <- in_order (Publication_list.take t.published);
  match t.taken with
  | [] -> pass_on t
  | Call { call; _ } :: taken ->
      t.taken <- taken;
      apply t call;
      pass_on t
  | Turn { caller; _ } :: taken ->
      t.taken <- taken;
      caller ()
  | (Idle | Busy) :: _ -> Explore.violate "what is this in line?"

let apply_and_pass_on t call =
  apply t call;
  pass_on t

(* --- callers, see Await_turn --- *)

let rec publish t call word =
  match Publication_list.look t.published with
  | Idle -> if Publication_list.enter t.published then apply_and_pass_on t call else publish t call word
  | onto -> if not (Publication_list.push t.published word ~onto) then publish t call word

let enter_or_publish t call word =
  if Publication_list.enter t.published then apply_and_pass_on t call else publish t call word

let call t call = enter_or_publish t call (Publication_list.call call ignore)

(* A fiber: the process that gives it its turn goes on with it. *)
let turn t call =
  enter_or_publish t call
    (Publication_list.Turn { caller = (fun () -> apply_and_pass_on t call); next = Busy; depth = 0 })

(* A thread is told of its turn, and goes on by itself. *)
let wait_for_turn t call =
  let told = Atomic.make false in
  let rec publish word =
    match Publication_list.look t.published with
    | Idle -> if not (Publication_list.enter t.published) then publish word
    | onto ->
        if not (Publication_list.push t.published word ~onto) then publish word
        else if not (Atomic.get told) then Process.block ()
  in
  publish (Publication_list.Turn { caller = (fun () -> Atomic.set told true); next = Busy; depth = 0 });
  apply_and_pass_on t call

(* The combiner's task is this process, too. *)
let submit t calls =
  let words = Array.map (fun call -> Publication_list.call call ignore) calls in
  if Publication_list.push_all t.published words == Idle then pass_on t

(* The pool of those that wait is closed. *)
let end_waits t =
  match Publication_list.look t.published with
  | Idle | Busy -> ()
  | chain ->
      if Publication_list.replace t.published chain Busy then
        List.iter
          (function
            | Publication_list.Call { call; _ } -> Notes.add t.notes (call ^ " ended")
            | Turn _ -> Notes.add t.notes "e ended"
            | Idle | Busy -> ())
          (in_order chain)

let rec is_part_of part whole =
  match (part, whole) with
  | [], _ -> true
  | _, [] -> false
  | a :: part', b :: whole' -> is_part_of (if a = b then part' else part) whole'

(* Those of each list of [in_order] are applied in this order. *)
let scenario ?(in_order = []) name ~calls ~outcomes spawn : Scenario.t =
  let set_up () =
    let t =
      {
        notes = Notes.make ();
        published = Publication_list.make ();
        inside = Atomic.make false;
        taken = [];
        order = [];
      }
    in
    spawn t;
    fun () ->
      (match Publication_list.look t.published with
      | Idle -> ()
      | Busy -> Explore.violate "the structure is left, and busy"
      | Call _ | Turn _ -> Explore.violate "somebody is left in line");
      let who name =
        match Notes.at_most_once t.notes (name ^ " ended") with
        | Some _ -> name ^ " ended"
        | None -> name ^ " by " ^ Notes.once t.notes name
      in
      List.iter (fun name -> ignore (Notes.the_one t.notes [ name; name ^ " ended" ])) calls;
      let order = List.rev t.order in
      if not (List.for_all (fun calls -> is_part_of calls order) in_order) then
        Explore.violate "applied in this order: %s" (String.concat " " order);
      String.concat ", " (List.map who calls)
  in
  { name; long = false; outcomes; set_up }

let caller t name what = Process.spawn name (fun () -> call t what)
let wants_turn t name what = Process.spawn name (fun () -> turn t what)

let all =
  [
    ( scenario "a structure: two callers" ~calls:[ "a"; "b" ]
        ~outcomes:[ "a by A, b by A"; "a by A, b by B"; "a by B, b by B" ]
    @@ fun t ->
      caller t "A" "a";
      caller t "B" "b" );
    ( scenario "a structure: three callers" ~calls:[ "a"; "b"; "c" ]
        ~outcomes:
          [
            "a by A, b by B, c by C";
            "a by B, b by B, c by C";
            "a by C, b by B, c by C";
            "a by A, b by A, c by C";
            "a by A, b by C, c by C";
            "a by A, b by B, c by A";
            "a by A, b by B, c by B";
            "a by A, b by A, c by A";
            "a by B, b by B, c by B";
            "a by C, b by C, c by C";
          ]
    @@ fun t ->
      caller t "A" "a";
      caller t "B" "b";
      caller t "C" "c" );
    ( scenario "a structure: two callers, one that ends waits" ~calls:[ "a"; "b" ]
        ~outcomes:
          [ "a by A, b by A"; "a by A, b by B"; "a by A, b ended"; "a by B, b by B"; "a ended, b by B" ]
    @@ fun t ->
      caller t "A" "a";
      caller t "B" "b";
      Process.spawn "C" (fun () -> end_waits t) );
    ( scenario "a structure: a caller, one that wants a turn" ~calls:[ "a"; "e" ]
        ~outcomes:[ "a by A, e by A"; "a by A, e by E"; "a by E, e by E" ]
    @@ fun t ->
      caller t "A" "a";
      wants_turn t "E" "e" );
    ( scenario "a structure: two that want turns" ~calls:[ "e"; "f" ]
        ~outcomes:[ "e by E, f by E"; "e by E, f by F"; "e by F, f by F" ]
    @@ fun t ->
      wants_turn t "E" "e";
      wants_turn t "F" "f" );
    ( scenario "a structure: two callers, one that wants a turn" ~calls:[ "a"; "b"; "e" ]
        ~outcomes:
          [
            "a by A, b by A, e by A";
            "a by A, b by A, e by E";
            "a by A, b by B, e by A";
            "a by A, b by B, e by B";
            "a by A, b by B, e by E";
            "a by A, b by E, e by E";
            "a by B, b by B, e by B";
            "a by B, b by B, e by E";
            "a by E, b by B, e by E";
            "a by E, b by E, e by E";
          ]
    @@ fun t ->
      caller t "A" "a";
      caller t "B" "b";
      wants_turn t "E" "e" );
    ( scenario "a structure: a caller, one that wants a turn, one that ends waits" ~calls:[ "a"; "e" ]
        ~outcomes:
          [ "a by A, e by A"; "a by A, e by E"; "a by A, e ended"; "a by E, e by E"; "a ended, e by E" ]
    @@ fun t ->
      caller t "A" "a";
      wants_turn t "E" "e";
      Process.spawn "C" (fun () -> end_waits t) );
    ( scenario "a structure: two callers, a thread that wants a turn" ~calls:[ "a"; "b"; "e" ]
        ~outcomes:
          [
            "a by A, b by A, e by E";
            "a by A, b by B, e by E";
            "a by A, b by E, e by E";
            "a by B, b by B, e by E";
            "a by E, b by B, e by E";
            "a by E, b by E, e by E";
          ]
    @@ fun t ->
      caller t "A" "a";
      caller t "B" "b";
      Process.spawn "E" (fun () -> wait_for_turn t "e") );
    ( scenario "a structure: one submits, then calls, another caller" ~calls:[ "s"; "t"; "c"; "b" ]
        ~in_order:[ [ "s"; "t"; "c" ] ]
        ~outcomes:
          [
            "s by B, t by B, c by B, b by B";
            "s by B, t by B, c by S, b by B";
            "s by S, t by S, c by B, b by B";
            "s by S, t by S, c by S, b by B";
            "s by S, t by S, c by S, b by S";
          ]
    @@ fun t ->
      Process.spawn "S" (fun () ->
          submit t [| "s"; "t" |];
          call t "c");
      caller t "B" "b" );
    ( scenario "a structure: one submits twice, another caller" ~calls:[ "s"; "t"; "b" ]
        ~in_order:[ [ "s"; "t" ] ]
        ~outcomes:
          [
            "s by B, t by B, b by B";
            "s by B, t by S, b by B";
            "s by S, t by B, b by B";
            "s by S, t by S, b by B";
            "s by S, t by S, b by S";
          ]
    @@ fun t ->
      Process.spawn "S" (fun () ->
          submit t [| "s" |];
          submit t [| "t" |]);
      caller t "B" "b" );
    ( scenario "a structure: one submits, one that wants a turn" ~calls:[ "s"; "t"; "e" ]
        ~in_order:[ [ "s"; "t" ] ]
        ~outcomes:[ "s by E, t by E, e by E"; "s by S, t by S, e by E"; "s by S, t by S, e by S" ]
    @@ fun t ->
      Process.spawn "S" (fun () -> submit t [| "s"; "t" |]);
      wants_turn t "E" "e" );
  ]
