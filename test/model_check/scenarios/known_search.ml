let first () ~alone:_ () _ ~look:_ ~by_loop start _ = by_loop start
let any () ~alone:_ () _ ~look:_ ~by_loop start _ = by_loop (Early_exit.start All) start
let learning () _ ~start:_ ~finish:_ search = search ()
