type wait = { what : string; about : int; name : string; since : int }
type place = { what : string; about : int; name : string; waits : int; longest : int; total : int }

type t = {
  open_ : (int, wait) Hashtbl.t;
  mutable early : (int, int) Hashtbl.t;  (** the times of ends whose beginnings have not been read yet *)
  mutable earlier : (int, int) Hashtbl.t;  (** those that were already early at the last sweep *)
  ended : (string * int, place) Hashtbl.t;
  mutable doubted : int;  (** waits that began before may have ended *)
}

let no_ends () = Hashtbl.create 16

let create () =
  {
    open_ = Hashtbl.create 64;
    early = no_ends ();
    earlier = no_ends ();
    ended = Hashtbl.create 16;
    doubted = min_int;
  }

let others = -1

(* A server may make a channel for each request. *)
let most_places = 1_000

let key places ({ what; about; _ } : wait) =
  let own = (what, about) in
  if Hashtbl.length places < most_places || Hashtbl.mem places own then own else (what, others)

let add places (what, about) (wait : wait) ~until =
  let length = max 0 (until - wait.since) and name = if about = others then "" else wait.name in
  let was =
    Option.value
      (Hashtbl.find_opt places (what, about))
      ~default:{ what; about; name; waits = 0; longest = 0; total = 0 }
  in
  Hashtbl.replace places (what, about)
    { was with name; waits = was.waits + 1; longest = max was.longest length; total = was.total + length }

let end_ t wait ~until = add t.ended (key t.ended wait) wait ~until

(* {1 What was read} *)

let take table id =
  let found = Hashtbl.find_opt table id in
  if Option.is_some found then Hashtbl.remove table id;
  found

let begins t ~time ~id ~what ~about ~name =
  let wait : wait = { what; about; name; since = time } in
  match (take t.early id, take t.earlier id) with
  | Some until, _ | None, Some until -> end_ t wait ~until
  | None, None -> if time >= t.doubted then Hashtbl.replace t.open_ id wait

let swept t =
  t.earlier <- t.early;
  t.early <- no_ends ()

(* A program that writes as fast as it is read never lets a sweep end. *)
let most_early = 100_000

let ends t ~time ~id =
  match take t.open_ id with
  | Some wait -> end_ t wait ~until:time
  | None ->
      if Hashtbl.length t.early >= most_early then swept t;
      Hashtbl.replace t.early id time

let doubt t ~before =
  t.doubted <- max t.doubted before;
  Hashtbl.filter_map_inplace (fun _ (wait : wait) -> if wait.since < before then None else Some wait) t.open_

let forget_ended t = Hashtbl.reset t.ended

(* {1 Places} *)

let longest_first a b = compare (b.longest, a.what, a.about) (a.longest, b.what, b.about)

(* Keeps the first [most] only: there may be as many places as fibers. *)
let first most places =
  let insert _ place best = List.filteri (fun i _ -> i < most) (List.merge longest_first best [ place ]) in
  Hashtbl.fold insert places []

let going_on t ~now ~most =
  let places = Hashtbl.create 16 in
  Hashtbl.iter (fun _ (wait : wait) -> add places (wait.what, wait.about) wait ~until:now) t.open_;
  first most places

let all t ~now ~most =
  let places = Hashtbl.copy t.ended in
  Hashtbl.iter (fun _ wait -> add places (key places wait) wait ~until:now) t.open_;
  first most places
