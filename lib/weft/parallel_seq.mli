(** Delayed sequences: chains of functions that run in parallel, without arrays in between.

    {[
      let longest_error file =
        Weft.Seq.lines file
        |> Weft.Seq.filter (String.starts_with ~prefix:"ERROR")
        |> Weft.Seq.map String.length |> Weft.Seq.fold ~combine:max max 0
    ]}

    A sequence is a description: it says where elements come from (the {e source}), and which functions they
    pass through (the {e steps}). Making a sequence runs nothing. The functions under {{!consumers} "Using"}
    (the {e consumers}) run it, from the start each time: every element passes all steps by itself, and
    several domains run ranges of the source at the same time. {!force} keeps the elements of an expensive
    sequence that is used several times.

    {b Order.} The elements are in the order of the source, and consumers respect that order. The functions of
    steps are called in any order, several at a time, like the iterations of {!Weft.parallel_for}; all calls
    have ended when the consumer returns or raises.

    {b Determinism.} Which elements are combined with which depends on the source and the steps, not on the
    number of domains or on timing: reductions and scans of floats always have the same bits.

    {b Exceptions.} When the function of a step raises, no new range of the source is started, and the
    exception of the leftmost range that raised goes to the caller, with its backtrace. For searches, see
    their descriptions.

    {b Cost.} To make a sequence is O(1) ({!empty}, {!return}, {!init}, {!of_range}, {!of_array},
    {!of_floatarray}, {!of_string}, {!of_bytes}, {!of_bigarray}, {!lines}, {!map}, {!mapi}, {!filter},
    {!filter_map}, {!flat_map}, {!concat_map}, {!scan}, {!scan_inclusive}, {!scan_exclusive}, {!partition},
    {!partition_map}, {!unzip}, {!split}, {!product}, {!map_product}, {!memoize}, {!append}, {!cons},
    {!flatten}, {!take}, {!drop}, {!split_at}, {!zip}, {!map2}, {!rev}, {!step_by}, {!chunks}, {!windows}),
    except for {!of_list}, {!of_seq}, {!unfold} and {!of_dispenser} (O(n), at once), {!concat_list}, {!concat}
    and {!force}. A consumer of a sequence with n positions in its source is O(n) work, unless it says
    otherwise, and the function of each step is called once for each element that reaches it. A step costs a
    call or two of closures per element. {!scan}, {!scan_exclusive}, and {!mapi} if it must count, run all
    steps before them once more: with k of them in a sequence, the first steps run k + 1 times. A consumer
    costs about a microsecond; from outside a pool, a few. The span is that of a loop for {!iter}, searches
    and arrays, and as in {!Weft.Array} for reductions and scans. Elements of type [float] are boxed in
    between, but not in the arrays at both ends.

    The source is divided into ranges as by {!Weft.parallel_for}; nothing needs to be tuned. After Westrick,
    Rainey, Anderson and Blelloch: Parallel block-delayed sequences, PPoPP 2022. *)

type +'a t
(** A sequence of elements of type ['a]. *)

(** {1 Sources} *)

val empty : 'a t
(** [empty] has no element. *)

val return : 'a -> 'a t
(** [return x] has the element [x]. *)

val init : int -> (int -> 'a) -> 'a t
(** [init n f] is [f 0, ..., f (n - 1)].
    @raise Invalid_argument if [n < 0]. *)

val of_range : int -> int -> int t
(** [of_range start finish] is the integers from [start] to [finish], both included; {!empty} if
    [finish < start].
    @raise Invalid_argument if they are more than [max_int]. *)

val of_array : 'a array -> 'a t
(** [of_array a] is the elements of [a]. The array is not copied: each consumer sees the elements that it has
    then. *)

val of_floatarray : floatarray -> float t
(** [of_floatarray a] is the elements of [a], which is not copied. *)

val of_string : string -> char t
(** [of_string s] is the bytes of [s]. For its words and lines see {!Text}. *)

val of_bytes : bytes -> char t
(** [of_bytes b] is the bytes of [b], which is not copied. *)

val of_bigarray : ('a, 'b, 'c) Bigarray.Array1.t -> 'a t
(** [of_bigarray a] is the elements of [a], which is not copied. It may be a file that is mapped into memory
    ([Unix.map_file]). *)

val of_list : 'a list -> 'a t
(** [of_list l] is the elements of [l], which are copied into an array at once. *)

val of_seq : 'a Stdlib.Seq.t -> 'a t
(** [of_seq s] is the elements of [s], which is run to its end at once. *)

val unfold : ('b -> ('a * 'b) option) -> 'b -> 'a t
(** [unfold f x] is [y] and then [unfold f x'] if [f x] is [Some (y, x')]; {!empty} if it is [None]. The
    caller runs [f] to its end at once, so the sequence must end. O(n) for n elements. *)

val of_dispenser : (unit -> 'a option) -> 'a t
(** [of_dispenser next] is every [y] for which [next ()] returns [Some y], until it returns [None]. The caller
    runs [next] to its end at once. O(n) for n elements. *)

val lines : string -> string t
(** [lines path] is the lines of a file, without the ends of lines, which are the bytes ['\n']; a ['\r']
    before one stays. The text after the last end of line is a line, too, if it is not empty: these are the
    lines of [In_channel.input_line] in binary mode.

    Nothing is opened before the sequence is used. Then the file is read in parallel, in blocks of up to 256
    KiB (by the size of the file alone), each with a channel of its own, which is closed whatever happens.
    Never more of the file is in memory than a channel's buffer and a line for each task that reads. A
    relative path is resolved each time.

    If the file changes meanwhile, the old or the new text of each line is seen; lines that begin beyond the
    size that the file had at the start are not. If another file takes its place ([rename]), that is an error.
    Pipes, devices and the files of [/proc] are read by one task. A file that can be read only once can be
    used only with steps that run the elements once (see {!scan}, {!take}).

    Uses raise [Sys_error], with [path] in the message, if the file cannot be read. *)

(** {1 Steps}

    [f] is called when the sequence is used. *)

val map : ('a -> 'b) -> 'a t -> 'b t
(** [map f s] is [f x] for each [x] of [s]. *)

val mapi : (int -> 'a -> 'b) -> 'a t -> 'b t
(** [mapi f s] is [f i x] for each [x] of [s], where [i] counts from 0. If [s] must be run to know how many
    elements there are to the left (it is filtered, say, or the lines of a file), then each use runs [s]
    twice: once to count. *)

val filter : ('a -> bool) -> 'a t -> 'a t
(** [filter f s] is those [x] of [s] for which [f x] is [true]. *)

val filter_map : ('a -> 'b option) -> 'a t -> 'b t
(** [filter_map f s] is [y] for each [x] of [s] for which [f x] is [Some y]. *)

val flat_map : ('a -> 'b t) -> 'a t -> 'b t
(** [flat_map f s] is the elements of [f x], for each [x] of [s]. The task that has come to [x] runs the
    sequence [f x] alone: many short sequences run in parallel with each other, but a single long one does
    not. For long ones take [flatten (map f s)]. *)

val flatten : 'a t t -> 'a t
(** [flatten ss] is the elements of all sequences of [ss]. Each use first runs [ss] and keeps its sequences in
    an array, one word for each; then long sequences are divided among several tasks, whatever their lengths.
    For many short sequences [flat_map Fun.id] is much faster. This is what OCaml's [Seq.concat] does.
    @raise Invalid_argument
      when it is used, if [ss] has more elements than an array can have, or their sequences more than
      [max_int]. *)

val concat_map : ('a -> 'b t) -> 'a t -> 'b t
(** The same as {!flat_map}, and at its cost. *)

val map_product : ('a -> 'b -> 'c) -> 'a t -> 'b t -> 'c t
(** [map_product f s s'] is [f x y] for each [x] of [s] and, for each of them, each [y] of [s']: {!flat_map}
    over [s]. So [s'] is run once for each element of [s], and a use is O(n * m) for n and m elements. *)

val product : 'a t -> 'b t -> ('a * 'b) t
(** [product s s'] is the pairs of an element of [s] and one of [s'], like {!map_product} and at its cost. *)

val partition : ('a -> bool) -> 'a t -> 'a t * 'a t
(** [partition f s] is [(filter f s, filter (fun x -> not (f x)) s)]. Each use of either runs [s], and calls
    [f] for all its elements; {!partition_to_arrays} runs [s] once for both. *)

val partition_map : ('a -> ('b, 'c) Either.t) -> 'a t -> 'b t * 'c t
(** [partition_map f s] is two sequences: every [y] for which some [f x] is [Left y], and every [z] for which
    some [f x] is [Right z]. Each use of either runs [s], and calls [f] for all its elements. *)

val unzip : ('a * 'b) t -> 'a t * 'b t
(** [unzip s] is the sequence of the first components and the sequence of the second ones. Each use of either
    runs [s]. *)

val split : ('a * 'b) t -> 'a t * 'b t
(** The same as {!unzip}, and at its cost. *)

val memoize : 'a t -> 'a t
(** [memoize s] is the elements of [s]. The first use runs [s] and keeps the elements in an array, as {!force}
    does; later uses read the array. A task that uses it while [s] runs waits, as in {!Weft.Once.get}.
    @raise Invalid_argument when it is used, as {!to_array}. *)

val scan : ('a -> 'a -> 'a) -> 'a t -> 'a t
(** [scan combine s] is the prefix sums of [s]: for each element, the elements up to it, itself included,
    combined by [combine], which should be associative.

    Each use runs [s], with all its steps, twice (except for the last block): once for the sums of blocks, in
    parallel, and once for the elements. If the steps are expensive, {!force} the sequence before. The first
    pass runs to its end before a search looks at any element, so its exceptions come first. Inside
    [flat_map], [s] runs once, from the left. The blocks depend on the number of source positions alone. *)

val scan_inclusive : ('a -> 'a -> 'a) -> 'a t -> 'a t
(** The same as {!scan}, and at its cost. *)

val scan_exclusive : ('a -> 'a -> 'a) -> 'a -> 'a t -> 'a t
(** [scan_exclusive combine init s] has for each element the sum of [init] and the elements before it; for the
    first one, [init]. Otherwise it is like {!scan}. *)

val append : 'a t -> 'a t -> 'a t
(** [append s s'] is the elements of [s], and then those of [s']. O(1). However appended sequences are nested,
    a use of k of them costs O(k) once, by one fiber, and O(log k) for each block of positions.
    @raise Invalid_argument
      if there are more than [max_int] elements: at once, if that is known, or else when it is used. *)

val cons : 'a -> 'a t -> 'a t
(** [cons x s] is [x], and then the elements of [s]: {!append}, and at its cost.
    @raise Invalid_argument as {!append}. *)

val concat_list : 'a t list -> 'a t
(** [concat_list ss] is the elements of all sequences of [ss], one after the other. O(length of [ss]).
    @raise Invalid_argument as {!append}. *)

val concat : 'a t list -> 'a t
(** The same as {!concat_list}: O(length of the list). Not OCaml's [Seq.concat], which is {!flatten}.
    @raise Invalid_argument as {!append}. *)

(** {1:numbered Parts, and several sequences}

    The elements of all sources except {!lines} and {!Text} can be computed from their index, and so can those
    of what {!map}, {!mapi}, {!append}, {!concat}, and the functions of this section make of such sequences.
    Then nothing is stored, and elements that are not needed are not computed. An element of any other
    sequence (filtered ones, scans, lines) is found only by running the sequence. {!take} and {!drop} run such
    a sequence once more, to count where the part begins or ends. The other functions of this section collect
    its elements in an array, at each use. *)

val take : int -> 'a t -> 'a t
(** [take n s] is the first [n] elements of [s], or all if there are fewer. If the elements must be counted,
    that happens in rounds, each twice as long as the one before. So [s] may be endless; but some elements
    after the first [n] are computed, too, and an exception there is raised.
    @raise Invalid_argument if [n < 0]. *)

val drop : int -> 'a t -> 'a t
(** [drop n s] is [s] without its first [n] elements; {!empty} if [s] has no more than [n]. It counts in the
    same way as {!take}.
    @raise Invalid_argument if [n < 0]. *)

val split_at : int -> 'a t -> 'a t * 'a t
(** [split_at n s] is [(take n s, drop n s)].
    @raise Invalid_argument if [n < 0]. *)

val zip : 'a t -> 'b t -> ('a * 'b) t
(** [zip s s'] is the pairs of elements with the same index. It is as long as the shorter sequence, as in
    OCaml's [Seq]. *)

val map2 : ('a -> 'b -> 'c) -> 'a t -> 'b t -> 'c t
(** [map2 f s s'] is [map (fun (x, y) -> f x y) (zip s s')], without the pairs. *)

val rev : 'a t -> 'a t
(** [rev s] is the elements of [s], the last one first. *)

val step_by : int -> 'a t -> 'a t
(** [step_by k s] is the elements whose indices, counted from 0, are multiples of [k].
    @raise Invalid_argument if [k < 1]. *)

val chunks : int -> 'a t -> 'a array t
(** [chunks n s] is the elements of [s] in arrays of [n] neighbours; the last one may be shorter. A new array
    is made for each use.
    @raise Invalid_argument if [n < 1]. *)

val windows : int -> 'a t -> 'a array t
(** [windows n s] is all runs of [n] neighbours, in order, each in a new array: the first begins with the
    first element, the next with the second one. Each takes O([n]) steps. Each element of [s] is computed [n]
    times, unless [s] must be collected: {!force} it before if its elements are expensive.
    @raise Invalid_argument if [n < 1]. *)

(** {1:consumers Using} *)

val iter : ('a -> unit) -> 'a t -> unit
(** [iter f s] calls [f] for each element, in any order, several at a time. *)

val iteri : (int -> 'a -> unit) -> 'a t -> unit
(** [iteri f s] is [iter ignore (mapi f s)]: it may run [s] twice, as {!mapi} says. *)

val reduce : ('a -> 'a -> 'a) -> 'a -> 'a t -> 'a
(** [reduce combine init s] combines [init] and then the elements, in their order, by [combine], which should
    be associative; it is [init] if there are none. [init] enters once. The nesting of the calls depends on
    the source and the steps alone. *)

val fold : combine:('acc -> 'acc -> 'acc) -> ('acc -> 'a -> 'acc) -> 'acc -> 'a t -> 'acc
(** [fold ~combine f init s] folds ranges of the elements by [f] from the left, each from [init], and then
    combines the results by [combine], in order. [init] must be neutral for [combine].

    {b [init] must be immutable}: all ranges begin with that same value, so if [f] changes it in place, such
    as a [Hashtbl.t], they all change it at once. For a table for each worker see {!Weft.Local.Worker_local}.
    The ranges depend on the source and the steps alone.

    So sequences become sets and maps: with [module S = Set.Make (String)], the set of the elements is
    [fold ~combine:S.union (Fun.flip S.add) S.empty s]. *)

val try_fold :
  combine:('acc -> 'acc -> 'acc) -> ('acc -> 'a -> ('acc, 'e) result) -> 'acc -> 'a t -> ('acc, 'e) result
(** [try_fold ~combine f init s] is [Ok] of what {!fold} returns, if [f] always returns [Ok]. When [f] returns
    an [Error], the fold stops, and returns the leftmost [Error], like the sequential program; [f] may have
    been called for elements further right, too. Ranges that have not begun then cost O(1) each. An exception
    of [f] ends the fold as in {!fold}, even if an [Error] lies further left. *)

val fold_left : ('acc -> 'a -> 'acc) -> 'acc -> 'a t -> 'acc
(** [fold_left f init s] folds all elements from the left, in the calling fiber alone. In parallel: {!fold}.
    O(n). *)

val fold_lefti : ('acc -> int -> 'a -> 'acc) -> 'acc -> 'a t -> 'acc
(** [fold_lefti f init s] is like {!fold_left}; [f] also gets the index of each element, from 0. O(n). *)

val sum : int t -> int
(** [sum s] is the sum of the elements. *)

val float_sum : float t -> float
(** [float_sum s] is the sum of the elements, like [reduce (+.) 0. s], but the sums are not boxed. *)

val length : 'a t -> int
(** [length s] is the number of elements. O(1), without a call of any function, if the number is known: if [s]
    has no {!filter}, {!partition}, {!flat_map}, {!product}, {!flatten} or the like, nor {!lines} or {!Text}.
*)

val is_empty : 'a t -> bool
(** [is_empty s] is whether there is no element. It is O(1) where {!length} is, and costs as much as {!exists}
    otherwise. *)

val count : ('a -> bool) -> 'a t -> int
(** [count f s] is the number of elements for which [f] is [true]. *)

val min_opt : ('a -> 'a -> int) -> 'a t -> 'a option
(** [min_opt compare s] is the least element, the first of several equal ones; [None] if there is none. *)

val max_opt : ('a -> 'a -> int) -> 'a t -> 'a option
(** [max_opt compare s] is the greatest element, the first of several equal ones; [None] if there is none. *)

val min_by : key:('a -> 'k) -> ('k -> 'k -> int) -> 'a t -> 'a option
(** [min_by ~key compare s] is the element with the least [key], the first of several; [None] if there is
    none. One call of [key] for each element. *)

val max_by : key:('a -> 'k) -> ('k -> 'k -> int) -> 'a t -> 'a option
(** [max_by ~key compare s] is the element with the greatest [key], the first of several; [None] if there is
    none. One call of [key] for each element. *)

val exists : ('a -> bool) -> 'a t -> bool
(** [exists f s] is whether [f] is [true] for some element. Once one is found, no new range starts, and
    exceptions raised elsewhere are dropped. *)

val for_all : ('a -> bool) -> 'a t -> bool
(** [for_all f s] is whether [f] is [true] for all elements: [not (exists (fun x -> not (f x)) s)]. *)

val find : ('a -> bool) -> 'a t -> 'a option
(** [find f s] is the first element for which [f] is [true] ([find_opt] of other modules). Like the sequential
    search, it raises an exception that comes before that element; but functions may have been called for
    elements further right, too. *)

val find_map : ('a -> 'b option) -> 'a t -> 'b option
(** [find_map f s] is the first [Some _] that [f] gives, like {!find}. *)

val find_index : ('a -> bool) -> 'a t -> int option
(** [find_index f s] is the index, from 0, of the first element for which [f] is [true], like {!find}. It may
    first run [s] to its end, to count, as {!mapi} says. *)

val find_mapi : (int -> 'a -> 'b option) -> 'a t -> 'b option
(** [find_mapi f s] is the first [Some _] that [f] returns; its arguments are the index of an element and the
    element. It costs as much as {!find_index}. *)

(** {1:pairs Two sequences in step}

    As in OCaml's [Seq], these functions stop where the shorter sequence ends, except for {!equal} and
    {!compare}. A sequence whose elements cannot be computed from their index is first collected in an array,
    as {{!numbered} above}. *)

val iter2 : ('a -> 'b -> unit) -> 'a t -> 'b t -> unit
(** [iter2 f s s'] calls [f] for each pair of elements with the same index, as {!iter} does. *)

val fold_left2 : ('acc -> 'a -> 'b -> 'acc) -> 'acc -> 'a t -> 'b t -> 'acc
(** [fold_left2 f init s s'] folds the pairs of {!zip} from the left, in the calling fiber alone. O(n). *)

val exists2 : ('a -> 'b -> bool) -> 'a t -> 'b t -> bool
(** [exists2 f s s'] is whether [f] is [true] for some pair of {!zip}, like {!exists}. *)

val for_all2 : ('a -> 'b -> bool) -> 'a t -> 'b t -> bool
(** [for_all2 f s s'] is whether [f] is [true] for all pairs of {!zip}, like {!for_all}. *)

val equal : ('a -> 'b -> bool) -> 'a t -> 'b t -> bool
(** [equal eq s s'] is whether both have the same number of elements, and [eq] is [true] for each pair. If the
    lengths are known and differ, no function is called. *)

val compare : ('a -> 'b -> int) -> 'a t -> 'b t -> int
(** [compare cmp s s'] compares in lexicographic order: it is the first result of [cmp] on a pair that is not
    0; if there is none, the shorter sequence is less. An exception of [cmp] for an earlier pair is raised. *)

(** {1 Collecting}

    All raise [Invalid_argument] if there are more elements than an array can have; if their number is known,
    before anything runs. *)

val to_array : 'a t -> 'a array
(** [to_array s] is the elements. If their number is known ({!length}) and large, they are written straight
    into the result; else into pieces that are then copied, in parallel. That takes up to three times the
    memory for a while. *)

val to_floatarray : float t -> floatarray
(** [to_floatarray s] is the elements, like {!to_array}. *)

val to_list : 'a t -> 'a list
(** [to_list s] is the elements. The caller alone makes the list, so the span is O(n). *)

val to_seq : 'a t -> 'a Stdlib.Seq.t
(** [to_seq s] is the elements. The call itself is O(1). Whenever a reader of the result asks for its first
    element, {!to_array} computes them all. *)

val to_dispenser : 'a t -> unit -> 'a option
(** [to_dispenser s] is a function that returns the elements, one at each call, and then [None]. The first
    call computes them all, as {!to_seq} does: O(n). Only one task may call it. *)

val to_string : char t -> string
(** [to_string s] is the string of the elements, made like the array of {!to_array}. *)

val to_bytes : char t -> bytes
(** [to_bytes s] is the elements as bytes, made like the array of {!to_array}. *)

val concat_strings : string -> string t -> string
(** [concat_strings separator s] is [String.concat separator (to_list s)]. O(number of elements) words besides
    the result. *)

val partition_to_arrays : ('a -> bool) -> 'a t -> 'a array * 'a array
(** [partition_to_arrays f s] is the elements for which [f] is [true], and the others. [s] runs once, with one
    call of [f] for each element. *)

val force : 'a t -> 'a t
(** [force s] runs [s] at once, and is the sequence of its elements, which are kept in an array. *)

(** {1 Texts} *)

type 'a seq := 'a t

(** The parts of texts in memory.

    The text is not copied; it is divided into blocks of bytes, and each part belongs to the block in which it
    begins. O(1) to make, except for {!Text.of_file}; each use is O(n) steps for n bytes, and makes a new
    string for each part. *)
module Text : sig
  type t

  val of_string : string -> t
  (** [of_string s] is the text [s]. *)

  val of_bytes : bytes -> t
  (** [of_bytes b] is the text in [b], as it is when the text is used. Nobody may change [b] meanwhile. *)

  val of_bigarray : (char, Bigarray.int8_unsigned_elt, Bigarray.c_layout) Bigarray.Array1.t -> t
  (** [of_bigarray a] is the text in [a], as it is when the text is used. *)

  val of_file : string -> t
  (** [of_file path] is the text of a regular file, which the call maps into memory by [Unix.map_file]; the
      system reads a part of it when that is used. O(1) steps. The memory is freed when the collector finds
      that the text is no longer used. If the file is made shorter before that, the system may end the program
      (SIGBUS): where that can happen, use {!Weft.Seq.lines}.
      @raise Sys_error if the file cannot be opened or mapped: pipes, devices and files of [/proc] cannot. *)

  val length : t -> int
  (** [length t] is the number of bytes: O(1). *)

  val chars : t -> char seq
  (** [chars t] is the bytes. *)

  val lines : t -> string seq
  (** [lines t] is the lines, without the ends of lines, as for the lines of a file. *)

  val tokens : ?is_space:(char -> bool) -> t -> string seq
  (** [tokens t] is the words: the longest parts without a byte for which [is_space] is [true] (by default
      blanks, tabs, ends of lines and form feeds). *)

  val split_on_char : char -> t -> string seq
  (** [split_on_char c t] is the parts between the bytes [c], like [String.split_on_char]. Parts may be empty.
  *)
end

(**/**)

(** For the tests. *)
module Private : sig
  val text : block:int -> string -> Text.t
  (** In blocks of [block] bytes. *)

  val lines : block:int -> string -> string t
  (** In blocks of [block] bytes. *)

  val watched_array : note:(unit -> unit) -> 'a array -> 'a t
  (** {!of_array}, which calls [note] whenever it is asked how many elements are to the left of a position. *)

  val elements_before : 'a t -> int list -> int list option
  (** How many elements are to the left of each of these positions of the source, if that is known. *)

  val calls_to_element : 'a t -> int -> int
  (** How many calls lie on the stack between a consumer and an element of this position. *)
end
