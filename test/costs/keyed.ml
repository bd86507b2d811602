open Testing.Growth
open Table

(* Called whenever keys are compared or hashed. *)
let note = ref ignore

module Key = struct
  type t = int

  let compare a b =
    !note ();
    Int.compare a b

  let equal = Int.equal

  let hash k =
    !note ();
    Hashtbl.hash k
end

let few = 200

(* [n] different keys of 20 bits, always the same, in no order and without runs: each step is invertible. *)
let scattered n =
  let key i =
    let k = i * 0x9E379 land 0xFFFFF in
    let k = k lxor (k lsr 9) in
    let k = k * 0x5BD1E995 land 0xFFFFF in
    k lxor (k lsr 11)
  in
  Array.init n key

let bindings n = Array.map (fun k -> (k, k)) (scattered n)

module type MAP = sig
  type 'v t

  val maps : int
  val create : unit -> 'v t
  val length : 'v t -> int
  val mem : 'v t -> int -> bool
  val find_opt : 'v t -> int -> 'v option
  val add : 'v t -> int -> 'v -> unit
  val remove : 'v t -> int -> bool
  val update : 'v t -> int -> ('v option -> 'v option) -> 'v option
  val iter : (int -> 'v -> unit) -> 'v t -> unit
  val fold : (int -> 'v -> 'acc -> 'acc) -> 'v t -> 'acc -> 'acc
  val to_seq : 'v t -> (int * 'v) Seq.t
end

module type ORDERED_MAP = sig
  include MAP

  val min_binding_opt : 'v t -> (int * 'v) option
  val max_binding_opt : 'v t -> (int * 'v) option
  val succ : 'v t -> int -> (int * 'v) option
  val pred : 'v t -> int -> (int * 'v) option
end

type costs = { one : bound; many : bound; case : string -> bound -> (int -> unit -> unit) -> case }

let of_keys name bound run =
  calls name bound (fun noting n ->
      note := noting;
      run n)

let compared = { one = Logarithmic; many = Linear_log; case = of_keys }
let hashed = { one = Constant; many = Linear; case = of_keys }
let counted_by_words = { one = Constant; many = Linear; case = words }

module Map (M : MAP) = struct
  let filled n =
    let m = M.create () in
    Array.iter (fun (k, v) -> M.add m k v) (bindings n);
    m

  let some_of n f =
    let maps = Array.init M.maps (fun _ -> filled n) and keys = scattered n in
    repeat few (fun i -> f maps.(i mod M.maps) keys.(i * (n / few)))

  let of_filled f n = ignoring f (filled n)

  let cases { one; many; case } =
    [
      words "create" Constant (fun _ -> ignoring M.create ());
      words "length" Constant (of_filled M.length);
      case "mem" one (fun n -> some_of n M.mem);
      case "find_opt" one (fun n -> some_of n M.find_opt);
      case "update" one (fun n -> some_of n (fun m k -> M.update m k (fun _ -> Some 0)));
      case "update, each away and back" many (fun n ->
          let m = filled n and keys = scattered n in
          repeat n (fun i ->
              ignore (M.update m keys.(i) (fun _ -> None));
              M.update m keys.(i) (fun _ -> Some 0)));
      each
        (case "add" many (fun n ->
             let m = M.create () and keys = scattered n in
             repeat n (fun i -> M.add m keys.(i) i)));
      case "add, ascending" many (fun n ->
          let m = M.create () in
          repeat n (fun i -> M.add m i i));
      case "add, all there" many (fun n ->
          let m = filled n and keys = scattered n in
          repeat n (fun i -> M.add m keys.(i) i));
      (* The cost is amortised over the additions. *)
      each
        (case "remove" many (fun n () ->
             let m = filled n and keys = scattered n in
             repeat n (fun i -> M.remove m keys.(i)) ()));
      words "iter" Linear (of_filled (M.iter (fun _ _ -> ())));
      words "fold" Linear (of_filled (fun m -> M.fold (fun k _ l -> k :: l) m []));
      words "to_seq" Linear (of_filled (fun m -> Seq.iter ignore (M.to_seq m)));
    ]
end

module Ordered_map (M : ORDERED_MAP) = struct
  include Map (M)

  let cases ({ one; case; _ } as costs) =
    cases costs
    @ [
        words "min_binding_opt" one (fun n -> some_of n (fun m _ -> M.min_binding_opt m));
        words "max_binding_opt" one (fun n -> some_of n (fun m _ -> M.max_binding_opt m));
        case "succ" one (fun n -> some_of n M.succ);
        case "pred" one (fun n -> some_of n M.pred);
      ]
end

(* The smallest sizes exceed that of a priority queue's heap. *)
let sizes = Table.sizes [ 1000; 3000; 10_000 ]
