type 'a t = { places : Int_table.t; mutable elements : 'a array; mutable free : int list; default : 'a }

let create default = { places = Int_table.create (); elements = [||]; free = []; default }

let get t i =
  let place = Int_table.find t.places i in
  if place < 0 then t.default else t.elements.(place)

let fresh_place t =
  match t.free with
  | place :: rest ->
      t.free <- rest;
      place
  | [] ->
      let place = Int_table.length t.places in
      if place = Array.length t.elements then begin
        let elements = Array.make (Int.max 4 (2 * place)) t.default in
        Array.blit t.elements 0 elements 0 place;
        t.elements <- elements
      end;
      place

let set t i x =
  let place = Int_table.find t.places i in
  if place >= 0 then t.elements.(place) <- x
  else begin
    let place = fresh_place t in
    Int_table.replace t.places i place;
    t.elements.(place) <- x
  end

let clear t i =
  let place = Int_table.find t.places i in
  if place >= 0 then begin
    Int_table.remove t.places i;
    t.elements.(place) <- t.default;
    t.free <- place :: t.free
  end
