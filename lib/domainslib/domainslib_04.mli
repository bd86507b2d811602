(** The interface of domainslib 0.3 and 0.4: it differs from {!Domainslib} only in the label of [setup_pool].

    In a program written against these versions, write [module Domainslib = Domainslib_04] at the beginning of
    its files, or rename the label. In 0.3, which has no [run], functions worked outside of it; they do so
    here.

    {b Cost}: as in {!Domainslib}, for each function. *)

module Task : sig
  type 'a task = unit -> 'a
  type !'a promise = 'a Domainslib.Task.promise
  type pool = Domainslib.Task.pool

  val setup_pool : ?name:string -> num_additional_domains:int -> unit -> pool
  (** [setup_pool ~num_additional_domains:n ()] is [Domainslib.Task.setup_pool ~num_domains:n ()]. See
      {!Domainslib.Task.setup_pool}.
      @raise Invalid_argument
        ["Task.setup_pool: num_additional_domains must be at least 0"] if it is negative. *)

  exception TasksActive
  (** Never raised: {!teardown_pool} waits for all tasks. For programs of 0.3 that name it. *)

  val teardown_pool : pool -> unit
  (** See {!Domainslib.Task.teardown_pool}. *)

  val lookup_pool : string -> pool option
  (** See {!Domainslib.Task.lookup_pool}. *)

  val get_num_domains : pool -> int
  (** See {!Domainslib.Task.get_num_domains}. *)

  val run : pool -> 'a task -> 'a
  (** See {!Domainslib.Task.run}. *)

  val async : pool -> 'a task -> 'a promise
  (** See {!Domainslib.Task.async}. *)

  val await : pool -> 'a promise -> 'a
  (** See {!Domainslib.Task.await}. *)

  val parallel_for : ?chunk_size:int -> start:int -> finish:int -> body:(int -> unit) -> pool -> unit
  (** See {!Domainslib.Task.parallel_for}. *)

  val parallel_for_reduce :
    ?chunk_size:int -> start:int -> finish:int -> body:(int -> 'a) -> pool -> ('a -> 'a -> 'a) -> 'a -> 'a
  (** See {!Domainslib.Task.parallel_for_reduce}. *)

  val parallel_scan : pool -> ('a -> 'a -> 'a) -> 'a array -> 'a array
  (** See {!Domainslib.Task.parallel_scan}. *)
end

module Chan = Domainslib.Chan
