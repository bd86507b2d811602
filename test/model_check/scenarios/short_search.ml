let first ~look:_ ~by_loop start _ = by_loop start
let any ~look:_ ~by_loop start _ = by_loop start
