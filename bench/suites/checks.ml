open Weft_bench_harness

let elements ~equal ~show ~length ~expected get =
  let wrong i = not (equal (expected i) (get i)) in
  let rec first i = if i < length && not (wrong i) then first (i + 1) else i in
  let i = first 0 in
  if i = length then Ok ()
  else
    let at x = Printf.sprintf "%s at %d" (show x) i in
    Error { Benchmark.expected = at (expected i); got = at (get i) }

let of_length length a check =
  if Array.length a = length then check ()
  else
    let count n = Printf.sprintf "%d elements" n in
    Error { Benchmark.expected = count length; got = count (Array.length a) }

let ints ~expected ~length (a : int array) =
  of_length length a @@ fun () ->
  elements ~equal:Int.equal ~show:string_of_int ~length ~expected (Array.get a)

let same_bits x y = Int64.equal (Int64.bits_of_float x) (Int64.bits_of_float y)
let show_float = Printf.sprintf "%h"

let floats ~expected ~length (a : float array) =
  of_length length a @@ fun () -> elements ~equal:same_bits ~show:show_float ~length ~expected (Array.get a)

let matrix ~expected m =
  let row i =
    Result.map_error
      (fun ({ expected; got } : Benchmark.wrong) ->
        let in_row text = Printf.sprintf "%s of row %d" text i in
        { Benchmark.expected = in_row expected; got = in_row got })
      (floats ~expected:(Array.get expected.(i)) ~length:(Array.length expected.(i)) m.(i))
  in
  let rec from i =
    if i = Array.length expected then Ok ()
    else match row i with Ok () -> from (i + 1) | Error _ as error -> error
  in
  of_length (Array.length expected) m @@ fun () -> from 0

let sorted ~compare ~show a =
  let descends i = i > 0 && compare a.(i - 1) a.(i) > 0 in
  let rec first i = if i < Array.length a && not (descends i) then first (i + 1) else i in
  let i = first 0 in
  if i = Array.length a then Ok ()
  else
    let expected = Printf.sprintf "at least %s at %d" (show a.(i - 1)) i in
    Error { Benchmark.expected; got = show a.(i) }

let fingerprint hash a =
  let scatter x =
    let x = x lxor (x lsr 31) * 0x1e3779b97f4a7c15 in
    let x = x lxor (x lsr 29) * 0x3f58476d1ce4e5b9 in
    x lxor (x lsr 32)
  in
  Array.fold_left (fun sum x -> sum + scatter (hash x)) 0 a

let once_per_size f =
  let last = ref None in
  fun size ->
    match !last with
    | Some (known, value) when known = size -> value
    | _ ->
        let value = f size in
        last := Some (size, value);
        value
