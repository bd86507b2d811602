let missing name =
  Rival.Missing
    { name; reason = "the library moonpool.forkjoin was not there at build time (install moonpool by opam)" }

let rivals = List.map missing [ "moonpool-ws"; "moonpool-fifo" ]
