(** Parallel functions on bigarrays of one, two and three dimensions.

    Whatever the layout, elements are divided in the order of memory into blocks, as by {!Weft.parallel_for}:
    several blocks run at a time, in the calling fiber or in others. {!Weft.parallel_for} says what is raised,
    and that the call may suspend. When a call raises, no new block is started; among the calls that raised,
    the exception of the first element in the order of memory is raised. Indices are the user's: from 0 in C's
    layout, from 1 in Fortran's.

    Elements are read and written directly, but for those of the kind [float16]: for each of these the OCaml
    runtime is called, which costs some ten nanoseconds. Functions given by the user get and return boxed
    floats.

    On one domain, an element of kind [float64] costs as much as in a plain loop over the same function.
    [fill] and [blit] are plain loops, too; in the cache they take some 0.5 ns more per element than OCaml's
    own.

    {b Cost}, for n elements: O(n) steps and one call of each given function per element, unless it says
    otherwise; {!Array1.reduce} and the other reductions call [combine] n times in all. Spans are as in
    {!Weft.Array}. O(1) words of OCaml's heap for each block; new bigarrays lie outside of it. *)

module Array1 : sig
  type ('a, 'b, 'c) t = ('a, 'b, 'c) Bigarray.Array1.t

  val init : ('a, 'b) Bigarray.kind -> 'c Bigarray.layout -> int -> (int -> 'a) -> ('a, 'b, 'c) t
  (** [init kind layout n f] is a new bigarray of [n] elements, with [f i] at each index [i]. The domains that
      fill the memory are the first to touch it.
      @raise Invalid_argument if [n < 0].
      @raise Out_of_memory if the system has no room for [n]. *)

  val fill : ('a, 'b, 'c) t -> 'a -> unit
  (** [fill a v] makes [v] every element of [a]. *)

  val blit : ('a, 'b, 'c) t -> ('a, 'b, 'c) t -> unit
  (** [blit a b] copies the elements of [a] to [b]. If [a] and [b] are different bigarrays that share memory,
      the result in [b] is not specified.
      @raise Invalid_argument if the dimensions differ. *)

  val map : ('a -> 'a) -> ('a, 'b, 'c) t -> ('a, 'b, 'c) t
  (** [map f a] is a new bigarray, of the same kind and layout, of [f x] for each element [x] of [a]. *)

  val map_inplace : ('a -> 'a) -> ('a, 'b, 'c) t -> unit
  (** [map_inplace f a] replaces each element [x] of [a] by [f x]. *)

  val iter : ('a -> unit) -> ('a, 'b, 'c) t -> unit
  (** [iter f a] calls [f x] for each element [x] of [a]. *)

  val iteri : (int -> 'a -> unit) -> ('a, 'b, 'c) t -> unit
  (** [iteri f a] calls [f i a.{i}] for each index [i] of [a]. *)

  val reduce : ('a -> 'a -> 'a) -> 'a -> ('a, 'b, 'c) t -> 'a
  (** [reduce combine init a] combines [init] and then the elements of [a], in the order of memory, by
      [combine], which should be associative. [init] enters once, and is the result if [a] is empty. The
      nesting of the calls depends on the size of [a] alone: floats have the same bits for every number of
      domains. *)

  val fold : combine:('d -> 'd -> 'd) -> ('d -> 'a -> 'd) -> 'd -> ('a, 'b, 'c) t -> 'd
  (** [fold ~combine f init a] divides [a] into parts, folds [f] over each part from [init] on, and combines
      the results in the order of memory by [combine], which should be associative. So [init] enters once for
      each part: it should be neutral, as [0.] is for [+.]. Deterministic like {!reduce}. *)

  (** {1 Floats}

      Without a call for each element; they box no floats, except of the kind [float16]. The elements of
      several dimensions are those of [Bigarray.reshape_1]. *)

  val sum : (float, 'b, 'c) t -> float
  (** [sum a] is {!Weft.Floatarray.sum} of the elements, with the same bits. *)

  val dot : (float, 'b, 'c) t -> (float, 'b, 'c) t -> float
  (** [dot a b] is {!Weft.Floatarray.dot}, with the same bits.
      @raise Invalid_argument if the lengths differ. *)

  val min : (float, 'b, 'c) t -> float
  (** [min a] is the least element, by the rules of {!Weft.Floatarray.min}.
      @raise Invalid_argument if there are no elements. *)

  val max : (float, 'b, 'c) t -> float
  (** [max a] is the greatest element, by the rules of {!Weft.Floatarray.max}.
      @raise Invalid_argument if there are no elements. *)
end

module Array2 : sig
  type ('a, 'b, 'c) t = ('a, 'b, 'c) Bigarray.Array2.t

  val init :
    ('a, 'b) Bigarray.kind -> 'c Bigarray.layout -> int -> int -> (int -> int -> 'a) -> ('a, 'b, 'c) t
  (** [init kind layout m n f] has [f i j] at the indices [i, j]. Otherwise it is like {!Array1.init}. *)

  val fill : ('a, 'b, 'c) t -> 'a -> unit
  (** See {!Array1.fill}. *)

  val blit : ('a, 'b, 'c) t -> ('a, 'b, 'c) t -> unit
  (** See {!Array1.blit}. *)

  val map : ('a -> 'a) -> ('a, 'b, 'c) t -> ('a, 'b, 'c) t
  (** See {!Array1.map}. *)

  val map_inplace : ('a -> 'a) -> ('a, 'b, 'c) t -> unit
  (** See {!Array1.map_inplace}. *)

  val iter : ('a -> unit) -> ('a, 'b, 'c) t -> unit
  (** See {!Array1.iter}. *)

  val iteri : (int -> int -> 'a -> unit) -> ('a, 'b, 'c) t -> unit
  (** [iteri f a] calls [f i j a.{i, j}] for all indices. *)

  val reduce : ('a -> 'a -> 'a) -> 'a -> ('a, 'b, 'c) t -> 'a
  (** See {!Array1.reduce}. *)

  val fold : combine:('d -> 'd -> 'd) -> ('d -> 'a -> 'd) -> 'd -> ('a, 'b, 'c) t -> 'd
  (** See {!Array1.fold}. *)
end

module Array3 : sig
  type ('a, 'b, 'c) t = ('a, 'b, 'c) Bigarray.Array3.t

  val init :
    ('a, 'b) Bigarray.kind ->
    'c Bigarray.layout ->
    int ->
    int ->
    int ->
    (int -> int -> int -> 'a) ->
    ('a, 'b, 'c) t
  (** [init kind layout l m n f] has [f i j k] at the indices [i, j, k]. Otherwise it is like {!Array1.init}.
  *)

  val fill : ('a, 'b, 'c) t -> 'a -> unit
  (** See {!Array1.fill}. *)

  val blit : ('a, 'b, 'c) t -> ('a, 'b, 'c) t -> unit
  (** See {!Array1.blit}. *)

  val map : ('a -> 'a) -> ('a, 'b, 'c) t -> ('a, 'b, 'c) t
  (** See {!Array1.map}. *)

  val map_inplace : ('a -> 'a) -> ('a, 'b, 'c) t -> unit
  (** See {!Array1.map_inplace}. *)

  val iter : ('a -> unit) -> ('a, 'b, 'c) t -> unit
  (** See {!Array1.iter}. *)

  val iteri : (int -> int -> int -> 'a -> unit) -> ('a, 'b, 'c) t -> unit
  (** [iteri f a] calls [f i j k a.{i, j, k}] for all indices. *)

  val reduce : ('a -> 'a -> 'a) -> 'a -> ('a, 'b, 'c) t -> 'a
  (** See {!Array1.reduce}. *)

  val fold : combine:('d -> 'd -> 'd) -> ('d -> 'a -> 'd) -> 'd -> ('a, 'b, 'c) t -> 'd
  (** See {!Array1.fold}. *)
end
