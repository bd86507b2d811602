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
    mutant "a caller that ends waits takes them by a plain set" ~caught_by:[ ended ]
      [
        swap "publication_list.ml" "Atomic.compare_and_set g chain Busy"
          "(ignore chain; Atomic.set g Busy; true)";
      ];
  ]

let of_turns =
  let two = "a structure: two callers, one that wants a turn" in
  [
    mutant "a caller that wants a turn forgets those before it" ~caught_by:[ two ]
      [ swap "publication_list.ml" "t.next <- onto" "ignore onto" ];
    mutant "a caller that wants a turn does not count those before it" ~caught_by:[ two ]
      [ swap "publication_list.ml" "t.depth <- deeper" "t.depth <- 1" ];
  ]

let of_parties =
  let one = "a party is ended, one goes back, another comes" in
  let two = "a party is ended, two go back, another comes" in
  let as_they_were = swap "publication_list.ml" "List.map again words" "words" in
  let one_by_one =
    swap "publication_list.ml" "if push_all g words ~onto then entered else put_back_again g words ~entered"
      "match words with [] -> entered | word :: others -> put_back_again g (if push g word ~onto then others \
       else words) ~entered"
  in
  [
    mutant "a caller that goes back does so as the block it was" ~caught_by:[ one; two ] [ as_they_were ];
    mutant "callers that go back do so one by one" ~caught_by:[ two ] [ one_by_one ];
    mutant "callers that go back do so one by one, as the blocks they were" ~caught_by:[ one; two ]
      [ as_they_were; one_by_one ];
    mutant "a caller that goes back does not look whether the owner has left" ~caught_by:[ one ]
      [
        swap "publication_list.ml" ~before:"~entered:(" "enter g || entered"
          "(ignore (enter g : bool); entered)";
      ];
  ]

let all = of_gates @ of_turns @ of_parties
