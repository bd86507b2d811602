type t = { claim : Claim.t; reading : bool Atomic.t; notes : Notes.t }

let goes_on t name () =
  if Atomic.get t.reading then Explore.violate "the fiber goes on while its stack is read";
  Notes.add t.notes (name ^ " goes on")

let comes t name =
  Process.spawn name @@ fun () ->
  let mine =
    if Claim.take t.claim then begin
      goes_on t name ();
      true
    end
    else Claim.take_or_leave t.claim (goes_on t name)
  in
  if mine then Notes.add t.notes (name ^ " has claimed")

let reads t name =
  Process.spawn name @@ fun () ->
  let read () =
    Atomic.set t.reading true;
    Atomic.set t.reading false
  in
  ignore (Claim.read t.claim read : unit option)

let scenario name ~outcomes ~comers ~readers : Scenario.t =
  let set_up () =
    let t = { claim = Claim.make (); reading = Atomic.make false; notes = Notes.make () } in
    List.iter (comes t) comers;
    List.iter (reads t) readers;
    let one what = Notes.the_one t.notes (List.map (fun name -> name ^ what) comers) in
    fun () ->
      let who = one " goes on" in
      if String.get who 0 <> String.get (one " has claimed") 0 then
        Explore.violate "one has claimed the fiber, and another continues it";
      if not (Claim.is_taken t.claim) then Explore.violate "the claim is not taken";
      who ^ " in " ^ Notes.once t.notes who
  in
  { name; long = false; outcomes; set_up }

let all =
  [
    scenario "a fiber, a reader, two who continue it" ~comers:[ "A"; "B" ] ~readers:[ "R" ]
      ~outcomes:[ "A goes on in A"; "A goes on in R"; "B goes on in B"; "B goes on in R" ];
    scenario "a fiber, two readers, one who continues it" ~comers:[ "A" ] ~readers:[ "R"; "S" ]
      ~outcomes:[ "A goes on in A"; "A goes on in R"; "A goes on in S" ];
  ]
