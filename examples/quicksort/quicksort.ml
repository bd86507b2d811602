(* quicksort: in place, with one fork for each division. There is no cutoff, not even for two elements. (In
   real programs use Weft.Array.sort: it is stable, and its merging runs in parallel, too, which this
   dividing does not.) *)

open Console

let swap a i j =
  let x = a.(i) in
  a.(i) <- a.(j);
  a.(j) <- x

let median (x : int) y z = max (min x y) (min (max x y) z)

(* Sorts the elements [low] to [high]. *)
let rec sort a low high =
  if low < high then begin
    (* Hoare's division, which also divides equal elements. *)
    let pivot = median a.(low) a.(low + ((high - low) / 2)) a.(high) in
    let i = ref low and j = ref high in
    while !i <= !j do
      while a.(!i) < pivot do
        incr i
      done;
      while a.(!j) > pivot do
        decr j
      done;
      if !i <= !j then begin
        swap a !i !j;
        incr i;
        decr j
      end
    done;
    let i = !i and j = !j in
    let (), () = Weft.par (fun () -> sort a low j) (fun () -> sort a i high) in
    ()
  end

(* Of all orders of the same numbers, the sorted one has the greatest sum. *)
let weighed_sum a =
  Weft.parallel_for_reduce ~start:0 ~finish:(Array.length a - 1) ~body:(fun i -> (i + 1) * a.(i)) ( + ) 0

let work size values seed () =
  let random = Weft.Random.make seed in
  let a = Weft.Array.init size (fun i -> Weft.Random.int_at random i values) in
  let sum = Weft.Array.reduce ( + ) 0 a in
  sort a 0 (size - 1);
  let in_order =
    Weft.parallel_find ~start:1 ~finish:(size - 1)
      ~body:(fun i -> if a.(i - 1) > a.(i) then Some i else None)
      ()
    = None
  in
  if (not in_order) || Weft.Array.reduce ( + ) 0 a <> sum then
    failwith "the array is not sorted; this is a bug";
  let weighed_sum = weighed_sum a in
  fun () ->
    Printf.printf "%s, sorted\n" (Printable.counted size "number");
    if size > 0 then begin
      Printf.printf "least %d, median %d, greatest %d\n" a.(0) a.(size / 2) a.(size - 1);
      Printf.printf "each times its position, from 1: %d in all\n" weighed_sum
    end

open Cmdliner

let term =
  let number default low name doc =
    Arg.(value & opt (Command_line.at_least low) default & info [ name ] ~docv:"N" ~doc)
  in
  Term.(
    const work
    $ number 1_000_000 0 "size" "Sort $(docv) numbers, drawn at random."
    $ number 1_000_000_000 1 "values" "They are from 0 to $(docv) - 1: few values, many equal numbers."
    $ number 1 0 "seed" "Another $(docv), other numbers.")

let () =
  Main.run ~name:"quicksort" ~doc:"sort numbers by quicksort"
    ~description:[ "Draws numbers, sorts them in place, and looks whether they are sorted." ]
    term
