type t = { armed : int Cell.t; due : bool Cell.t }

let time = 1000
let now () = time + Process.passed ()
let never = max_int
let start () = ()

let create () =
  { armed = Cell.make ~show:string_of_int "armed" never; due = Cell.make ~show:string_of_bool "due" false }

let watch _ ~deque:_ ~parker:_ = ()

let rec set a time =
  let was = Cell.get a.armed in
  if time < was && not (Cell.compare_and_set a.armed was time) then set a time

let is_due a = Cell.get a.due
let take_due a = Cell.get a.due && Cell.exchange a.due false
let armed a = Cell.get a.armed

let look a =
  if Cell.get a.armed <= time then
    if Mutation.is "an alarm goes off before it is unset" then begin
      Cell.set a.due true;
      Cell.set a.armed never
    end
    else begin
      Cell.set a.armed never;
      Cell.set a.due true
    end
