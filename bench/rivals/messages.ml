open Weft_bench_suites

module Make (R : Entered.S) = struct
  let run parties =
    let pool = R.here () in
    List.map (R.await pool) (List.map (R.async pool) parties)

  let way (module C : Rival.Channel) (name, parties, capacity) =
    let of_channels make =
      let on domains = (not C.blocks_the_domain) || domains >= 2 * parties in
      let program = Channel.program ~parties ~run ~send:C.send ~recv:C.recv make in
      (name, Operations.way ~on R.contestant (Channel.kind ~parties) program)
    in
    Option.map of_channels (C.make capacity)

  let ways = match R.channel with None -> [] | Some channel -> List.filter_map (way channel) Channel.cases
end
