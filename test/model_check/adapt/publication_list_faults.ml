open Edit

let of_gates =
  let two = "a structure: two callers" and ended = "a structure: two callers, one that ends waits" in
  let turns = "a structure: two that want turns" in
  [
    mutant "a caller that enters gets, then sets" ~caught_by:[ two; turns ]
      [
        swap "publication_list.ml" ~before:"enter g = " "Atomic.compare_and_set g Idle Busy"
          "(Atomic.get g == Idle && (Atomic.set g Busy; true))";
      ];
    mutant "a caller that leaves does not look who has lined up" ~caught_by:[ two; turns ]
      [
        swap "publication_list.ml" ~before:"leave g = " "Atomic.compare_and_set g Busy Idle"
          "(Atomic.set g Idle; true)";
      ];
    mutant "a caller that lines up does so by a plain set" ~caught_by:[ two; turns ]
      [ swap "publication_list.ml" "Atomic.compare_and_set g onto word" "(Atomic.set g word; true)" ];
    mutant "a caller that takes those in line gets, then sets" ~caught_by:[ "a structure: three callers" ]
      [
        swap "publication_list.ml" ~before:"take g = " "Atomic.exchange g Busy"
          "(let chain = Atomic.get g in Atomic.set g Busy; chain)";
      ];
    mutant "waits are ended though others have come meanwhile" ~caught_by:[ ended ]
      [
        swap "publication_list.ml" "Atomic.compare_and_set g chain others"
          "(ignore chain; Atomic.set g others; true)";
      ];
  ]

let of_turns =
  let two = "a structure: two callers, one that wants a turn" in
  [
    mutant "a caller that wants a turn forgets those before it" ~caught_by:[ two ]
      [ swap "publication_list.ml" "t.next <- onto" "ignore onto" ];
    mutant "a caller that wants a turn does not count those before it" ~caught_by:[ two ]
      [ swap "publication_list.ml" "t.depth <- depth" "t.depth <- 1 + (0 * depth)" ];
  ]

let of_submissions =
  let one = "a structure: one submits, then calls, another caller"
  and two = "a structure: one submits twice, another caller" in
  [
    mutant "calls are submitted by a plain set" ~caught_by:[ one; two ]
      [ swap "publication_list.ml" "Atomic.compare_and_set g was last" "(Atomic.set g last; true)" ];
    mutant "a call submitted to a free structure leaves it free" ~caught_by:[ one; two ]
      [ swap "publication_list.ml" ~before:"if was == Idle then " "Busy" "was" ];
    mutant "a submitted call drops the calls before it" ~caught_by:[ two ]
      [ swap "publication_list.ml" ~before:" else " ~after:" in" "was" "Busy" ];
  ]

let of_parties =
  let two = "a party is ended, two stay, another comes" in
  [
    mutant "callers that stay are listed again as the same blocks"
      ~caught_by:[ "a party is ended, one stays, another comes"; two ]
      [
        swap "publication_list.ml" "Call { c with next = onto; depth }"
          "(c.next <- onto; c.depth <- depth; word)";
      ];
  ]

let all = of_gates @ of_turns @ of_submissions @ of_parties
