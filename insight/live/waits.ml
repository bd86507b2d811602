type wait = { what : string; about : int; name : string; since : int }
type place = { what : string; about : int; name : string; waits : int; longest : int; total : int }
type t = { open_ : (int, wait) Hashtbl.t; ended : (string * int, place) Hashtbl.t }

let create () = { open_ = Hashtbl.create 64; ended = Hashtbl.create 16 }

let add places { what; about; name; since } ~until =
  let length = max 0 (until - since) in
  let was =
    Option.value
      (Hashtbl.find_opt places (what, about))
      ~default:{ what; about; name; waits = 0; longest = 0; total = 0 }
  in
  Hashtbl.replace places (what, about)
    { was with name; waits = was.waits + 1; longest = max was.longest length; total = was.total + length }

let begins t ~time ~id ~what ~about ~name = Hashtbl.replace t.open_ id { what; about; name; since = time }

let ends t ~time ~id =
  match Hashtbl.find_opt t.open_ id with
  | None -> ()
  | Some wait ->
      Hashtbl.remove t.open_ id;
      add t.ended wait ~until:time

let forget t = Hashtbl.reset t.open_

let places_with t places ~now =
  Hashtbl.iter (fun _ wait -> add places wait ~until:now) t.open_;
  List.sort
    (fun a b -> compare (b.longest, a.what, a.about) (a.longest, b.what, b.about))
    (List.of_seq (Hashtbl.to_seq_values places))

let going_on t ~now = places_with t (Hashtbl.create 16) ~now
let all t ~now = places_with t (Hashtbl.copy t.ended) ~now
