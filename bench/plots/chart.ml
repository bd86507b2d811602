type range = { middle : float; least : float; greatest : float }
type point = { at : float; value : range }
type series = { name : string; colour : int; points : point list }
type reference = { label : string; style : [ `Baseline | `Ideal | `Fitted ]; through : (float * float) list }
type axis = { title : string; ticks : (float * string) list }
type bar = { label : string; colour : int; value : range }
type cell = { from : float; below : float; share : float }
type steps = { name : string; colour : int; cells : cell list }

type body =
  | Curves of {
      x : axis;
      y : string;
      series : series list;
      references : reference list;
      limit : (float * string) option;
    }
  | Bars of { value : string; bars : bar list; mark : float option }
  | Histogram of { x : axis; y : string; steps : steps list }

type t = { name : string; bench : string; title : string; caption : string; command : string; body : body }

let range_of values =
  {
    middle = Weft_bench_harness.Row.median values;
    least = List.fold_left Float.min Float.infinity values;
    greatest = List.fold_left Float.max Float.neg_infinity values;
  }

let scaled factor { middle; least; greatest } =
  { middle = middle *. factor; least = least *. factor; greatest = greatest *. factor }

let extent ranges =
  let least =
    List.fold_left (fun x r -> if r.least > 0. then Float.min x r.least else x) Float.infinity ranges
  and greatest = List.fold_left (fun x r -> Float.max x r.greatest) 0. ranges in
  (least, greatest)

let spread ranges =
  let least, greatest = extent ranges in
  if least <= greatest then greatest /. least else 1.

let logarithmic ~worth ranges = List.for_all (fun r -> r.least > 0.) ranges && spread ranges >= worth
