(* $MDX part-begin=book *)
type complex = { re : float array; im : float array }

(* Combines the transforms of the even elements of [x] and of the odd ones, which lie in [y] from [o] and from
   [o + h] on. [w] is the roots of unity. *)
let[@inline] butterfly w y o h stride k =
  let c = w.re.(k * stride) and s = w.im.(k * stride) in
  let i = o + k and j = o + k + h in
  let re = (c *. y.re.(j)) -. (s *. y.im.(j)) and im = (c *. y.im.(j)) +. (s *. y.re.(j)) in
  y.re.(j) <- y.re.(i) -. re;
  y.im.(j) <- y.im.(i) -. im;
  y.re.(i) <- y.re.(i) +. re;
  y.im.(i) <- y.im.(i) +. im

(* The transform of the [n] elements of [x] at [first], [first + stride], ..., in [y] from [o] on. *)
let rec transform x w y n first stride o =
  if n = 1 then begin
    y.re.(o) <- x.re.(first);
    y.im.(o) <- x.im.(first)
  end
  else begin
    let h = n / 2 in
    let (), () =
      Weft.par
        (fun () -> transform x w y h first (2 * stride) o)
        (fun () -> transform x w y h (first + stride) (2 * stride) (o + h))
    in
    Weft.parallel_for ~start:0 ~finish:(h - 1) ~body:(fun k -> butterfly w y o h stride k) ()
  end
(* $MDX part-end *)

(* {1 Sequential} *)

let butterflies w y o h stride ~from ~till =
  for k = from to till - 1 do
    butterfly w y o h stride k
  done

let rec sequential x w y n first stride o =
  if n = 1 then begin
    y.re.(o) <- x.re.(first);
    y.im.(o) <- x.im.(first)
  end
  else begin
    let h = n / 2 in
    sequential x w y h first (2 * stride) o;
    sequential x w y h (first + stride) (2 * stride) (o + h);
    butterflies w y o h stride ~from:0 ~till:h
  end

(* With the last two levels of calls in one. *)
let rec best_sequential x w y n first stride o =
  if n = 1 then sequential x w y 1 first stride o
  else if n = 2 then begin
    let second = first + stride in
    y.re.(o) <- x.re.(first) +. x.re.(second);
    y.im.(o) <- x.im.(first) +. x.im.(second);
    y.re.(o + 1) <- x.re.(first) -. x.re.(second);
    y.im.(o + 1) <- x.im.(first) -. x.im.(second)
  end
  else begin
    let h = n / 2 in
    best_sequential x w y h first (2 * stride) o;
    best_sequential x w y h (first + stride) (2 * stride) (o + h);
    butterflies w y o h stride ~from:0 ~till:h
  end

(* {1 By hand} *)

let block = 8_192

let rec by_hand x w y n first stride o =
  if n <= 1_024 then best_sequential x w y n first stride o
  else begin
    let h = n / 2 in
    let (), () =
      Weft.par
        (fun () -> by_hand x w y h first (2 * stride) o)
        (fun () -> by_hand x w y h (first + stride) (2 * stride) (o + h))
    in
    let blocks = (h + block - 1) / block in
    let body b = butterflies w y o h stride ~from:(b * h / blocks) ~till:((b + 1) * h / blocks) in
    Weft.parallel_for ~chunk_size:1 ~start:0 ~finish:(blocks - 1) ~body ()
  end

type input = { x : complex; roots : complex }

let input log =
  let n = 1 lsl log in
  let angle k = 2. *. Float.pi *. float_of_int k /. float_of_int n in
  {
    x = { re = Inputs.floats n; im = Inputs.floats ~seed:1 n };
    roots =
      { re = Array.init (n / 2) (fun k -> cos (angle k)); im = Array.init (n / 2) (fun k -> -.sin (angle k)) };
  }

let of_whole transform { x; roots } =
  let n = Array.length x.re in
  let y = { re = Array.create_float n; im = Array.create_float n } in
  transform x roots y n 0 1 0;
  y

let benchmark =
  Textbook.benchmark ~name:"fft" ~doc:"the fast Fourier transform"
    ~size_doc:"the binary logarithm of the number of elements" ~sizes:(0, 26) ~sweep_sizes:[ 16; 18; 20; 22 ]
    ~size:20 ~quick:15 ~input
    ~digest:(fun { re; im } -> Same_result.add (Same_result.floats re) (Same_result.floats im))
    {
      best_sequential = of_whole best_sequential;
      sequential = of_whole sequential;
      book = of_whole transform;
      by_hand = of_whole by_hand;
    }
