let first () ~alone:_ () _ ~look:_ ~by_loop start _ = by_loop start
let any () ~alone:_ () _ ~look:_ ~by_loop start _ = by_loop (Early_exit.start All) start
let deferred () () _ ~in_order:_ ~look:_ ~by_loop start _ = by_loop start
let learning () _ ~start:_ ~finish:_ search = search ()
