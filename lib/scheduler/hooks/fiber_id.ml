type t = {
  mutable number : int;
  parent : int;
  mutable place : int;
  mutable name : string;
  mutable wait : int;
  mutable told : int;
}

let unknown = { number = 0; parent = 0; place = 0; name = ""; wait = 0; told = 0 }
let is_known id = id != unknown
let numbers = Atomic.make 1
let next () = Atomic.fetch_and_add numbers 1

let number id =
  if id.number = 0 && is_known id then id.number <- next ();
  id.number

let begun ~place ~parent = { number = 0; parent = parent.number; place; name = ""; wait = 0; told = 0 }

let started ?(name = "") ~place ~parent () =
  let parent = number parent in
  { number = next (); parent; place; name; wait = 0; told = 0 }

let call id ~name ~place =
  if is_known id && String.equal id.name "" then begin
    id.name <- name;
    id.place <- place;
    id.told <- 0
  end

let set_wait id n = if is_known id then id.wait <- n
let set_told id ticks = if is_known id then id.told <- ticks
