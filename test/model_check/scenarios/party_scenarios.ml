(* Callers of one pool that have lined up one after the other; see Waiters. *)
type party = { home : string; mutable dismissed : bool }

type t = {
  published : (string, party) Publication_list.t;
  inside : bool Atomic.t;
  mutable order : string list; (* calls applied, the last first; written by the process inside *)
  mutable ended : string list; (* waits ended; written by the process that ends them *)
  mutable parties : party list;
}

let party t home =
  let p = { home; dismissed = false } in
  t.parties <- p :: t.parties;
  p

let dismiss p =
  if p.dismissed then Explore.violate "%s: a party is dismissed twice" p.home;
  p.dismissed <- true

let of_party p call = if p.dismissed then Explore.violate "%s: its party was dismissed before" call

(* Two steps, so that another process inside would be seen. *)
let apply t call =
  if Atomic.exchange t.inside true then Explore.violate "%s: not alone" call;
  t.order <- call :: t.order;
  Atomic.set t.inside false

(* The eldest first. *)
let in_order chain =
  let rec from found : (_, _) Publication_list.word -> (string * party) list = function
    | Call { call; caller; next; _ } -> from ((call, caller) :: found) next
    | Busy -> found
    | Idle | Turn _ -> Explore.violate "what is this in line?"
  in
  let found = from [] chain in
  if List.length found <> Publication_list.depth chain then
    Explore.violate "%d in a chain of depth %d" (List.length found) (Publication_list.depth chain);
  found

(* --- the owner, see Combiner: it dismisses a party after the party's last member in a row --- *)

let rec serve_all t = function
  | [] -> ()
  | (call, p) :: rest ->
      apply t call;
      of_party p call;
      (match rest with (_, q) :: _ when q == p -> () | _ -> dismiss p);
      serve_all t rest

let rec leave t =
  if not (Publication_list.leave t.published) then begin
    serve_all t (in_order (Publication_list.take t.published));
    leave t
  end

(* --- a caller, see Await_turn --- *)

let word call caller : (_, _) Publication_list.word = Call { call; caller; next = Busy; depth = 0 }

let rec call t home what =
  match Publication_list.look t.published with
  | Idle ->
      if Publication_list.enter t.published then begin
        apply t what;
        leave t
      end
      else call t home what
  | onto ->
      let p, is_new =
        match onto with
        | Call { caller; _ } when caller.home = home -> (caller, false)
        | _ -> ({ home; dismissed = false }, true)
      in
      if not (Publication_list.push t.published (word what p) ~onto) then call t home what
      else if is_new then t.parties <- p :: t.parties

(* --- ending the waits of a pool, see Combiner --- *)

let rec end_waits t p ~was ~mine ~others =
  let rec above (word : (_, _) Publication_list.word) found =
    if word == was then Some found
    else
      match word with
      | Call { next; _ } | Turn { next; _ } -> above next (word :: found)
      | Idle | Busy -> None
  in
  let divide (mine, others) (word : (_, _) Publication_list.word) =
    match word with
    | Call { call; caller; _ } when caller.home = p.home -> ((call, caller) :: mine, others)
    | _ -> (mine, Publication_list.again word ~onto:others)
  in
  match Publication_list.look t.published with
  | Idle | Busy -> ()
  | chain -> (
      match above chain [] with
      | None -> end_waits t p ~was:Publication_list.Busy ~mine:[] ~others:Publication_list.Busy
      | Some words -> (
          match List.fold_left divide (mine, others) words with
          | [], _ -> ()
          | mine, others ->
              if Publication_list.replace t.published chain others then begin
                List.iter (fun (call, q) -> of_party q call) mine;
                t.ended <- List.map fst mine;
                List.iter (fun (_, q) -> if not q.dismissed then dismiss q) mine
              end
              else end_waits t p ~was:chain ~mine ~others))

let end_party t p = end_waits t p ~was:Publication_list.Busy ~mine:[] ~others:Publication_list.Busy

(* --- scenarios: a caller is inside, [p1] and others wait; the waits of [p1]'s party are ended --- *)

let scenario name ~behind ~comes_from ~outcomes : Scenario.t =
  let set_up () =
    let t =
      {
        published = Publication_list.make ();
        inside = Atomic.make false;
        order = [];
        ended = [];
        parties = [];
      }
    in
    let push p what =
      ignore
        (Publication_list.push t.published (word what p) ~onto:(Publication_list.look t.published) : bool)
    in
    ignore (Publication_list.enter t.published : bool);
    let p = party t "P" in
    push p "p1";
    let q = party t "Q" in
    List.iter (push q) behind;
    Process.spawn "owner" (fun () -> leave t);
    Process.spawn "ender" (fun () -> end_party t p);
    Process.spawn "caller" (fun () -> call t comes_from "c");
    fun () ->
      if Publication_list.look t.published <> Idle then Explore.violate "the structure is left, and not idle";
      List.iter
        (fun p -> if not p.dismissed then Explore.violate "%s: a party is not dismissed" p.home)
        t.parties;
      let all = List.sort compare (("p1" :: behind) @ [ "c" ]) in
      if List.sort compare (t.order @ t.ended) <> all then
        Explore.violate "not each once: %s" (String.concat " " (t.order @ t.ended));
      String.concat " " (List.rev t.order)
  in
  { name; long = false; outcomes; set_up }

let all =
  let one = [ "q1 c"; "p1 q1 c" ] in
  [
    scenario "a party is ended, one stays, one of its party comes" ~behind:[ "q1" ] ~comes_from:"Q"
      ~outcomes:one;
    scenario "a party is ended, one stays, another comes" ~behind:[ "q1" ] ~comes_from:"R" ~outcomes:one;
    scenario "a party is ended, two stay, another comes" ~behind:[ "q1"; "q2" ] ~comes_from:"R"
      ~outcomes:[ "q1 q2 c"; "p1 q1 q2 c" ];
  ]
