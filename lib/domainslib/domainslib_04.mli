(** The interface of domainslib 0.3 and 0.4: as {!Domainslib}, but for the label of [setup_pool].

    A program written against these versions says [module Domainslib = Domainslib_04] at the beginning of its
    files, or renames the label. The functions of 0.3 that worked outside [run], which came with 0.4, do so
    here. *)

module Task : sig
  type 'a task = unit -> 'a
  type !'a promise = 'a Domainslib.Task.promise
  type pool = Domainslib.Task.pool

  val setup_pool : ?name:string -> num_additional_domains:int -> unit -> pool
  (** [setup_pool ~num_additional_domains:n ()] is [Domainslib.Task.setup_pool ~num_domains:n ()].
      @raise Invalid_argument
        ["Task.setup_pool: num_additional_domains must be at least 0"] if it is negative. *)

  exception TasksActive
  (** Never raised: {!teardown_pool} waits for all tasks. For programs of 0.3 that name it. *)

  val teardown_pool : pool -> unit
  (** This, and what follows, as in {!Domainslib.Task}. *)

  val lookup_pool : string -> pool option
  val get_num_domains : pool -> int
  val run : pool -> 'a task -> 'a
  val async : pool -> 'a task -> 'a promise
  val await : pool -> 'a promise -> 'a
  val parallel_for : ?chunk_size:int -> start:int -> finish:int -> body:(int -> unit) -> pool -> unit

  val parallel_for_reduce :
    ?chunk_size:int -> start:int -> finish:int -> body:(int -> 'a) -> pool -> ('a -> 'a -> 'a) -> 'a -> 'a

  val parallel_scan : pool -> ('a -> 'a -> 'a) -> 'a array -> 'a array
end

module Chan = Domainslib.Chan
