/*  A work-stealing deque whose owner issues no fence.

    THE PROTOCOL.  One owner, any number of thieves. Tasks lie at the indices top .. bottom - 1 of a ring, the task
    of index i in slot (i mod length of the ring).

      push (owner)   if the ring is full, grow; slot[bottom] <- task; bottom <- bottom + 1 (a release store).
      grow (owner)   make a ring of twice the length; copy the slots of top .. bottom - 1; publish the pointer to it
                     (a release store). The old ring is never written again and stays readable for as long as
                     anybody holds it.
      pop (owner)    b = bottom - 1; bottom <- b; t = top;
                     t < b: the task of b is the owner's, without any atomic operation;
                     t = b: it is the last one: the CAS of top from t to t + 1 decides; then bottom <- b + 1;
                     t > b: there was none: bottom <- b + 1.
      steal (thief)  t = top; b1 = bottom; if t < b1: membarrier; b = min (b1, bottom); if t < b: read the ring
                     pointer, then slot[t], then CAS top from t to t + 1. If the CAS fails, what was read is nothing.
                     A ring's length is found in the ring itself.

    The owner's stores are plain ones (on x86 a release store is one too): they wait in the store buffer of its
    processor while its later loads go ahead, so a thief may see a bottom that the owner has already taken back. The
    thief's membarrier empties that buffer. Either the owner's "bottom <- b" was in it, then the thief sees it and
    leaves index b alone; or it comes later, then so does the owner's "t = top", which sees what thieves took
    before, and for the last task there is the CAS.

    STATES OF A TASK.  Not pushed -> in the ring -> taken, once, by the owner or by the thief whose CAS moved top past
    it. Growth only copies. Checked: no task is taken twice, no thief takes what is no task (an empty slot) or
    reads outside a ring, and at the end every task was taken or lies at its place between top and bottom.

    MEMORY.  Without a knob it is x86's: one FIFO buffer of stores (TSO). With WEAK, stores to different locations
    reach memory in any order, but a release store after all earlier ones; top and bottom, before the
    membarrier, are read in any order; and a failed CAS orders nothing. Loads after the membarrier keep their order
    (the second read of bottom must be an acquire load).

    KNOBS.
      PUSHES, POPS      how often the owner pushes and pops, in every order, pops of an empty deque included
      THIEVES, STEALS   how many thieves, and how often each tries
      LENGTH0           length of the first ring: 1 (it may grow twice) or 2 (once)
      FIRST             where top and bottom start; not 0, so that a task's slot differs from ring to ring
      BUFFER            how many stores the buffer holds; the default is never full
      WEAK              see above
      FENCED            the other mode: the owner has a fence between "bottom <- b" and "t = top", and thieves use no
                        membarrier

    MUTANTS.  Each takes one thing out of the protocol and must be seen to fail.
      NO_BARRIER          the thief issues no membarrier
      BARRIER_FIRST       the thief issues it before it reads top and bottom, not between
      FIRST_READ          the thief reads bottom only before the membarrier
      EARLY_RING          the thief reads the ring pointer before top
      SLOT_BEFORE_BOTTOM  the thief reads the slot before it reads bottom again (a missing acquire)
      SPLIT_MASK          the ring's mask is a second field of the deque; the thief reads it after the ring pointer (1)
                          or before (2); the owner stores it after the pointer or, with MASK_FIRST, before
      PUBLISH_FIRST       growth publishes the ring, then copies
      CLEAR_OLD           growth clears the old ring
      LATE_GROWTH         growth comes one push too late
      BOTTOM_FIRST        push stores bottom, then the slot
      NO_LAST_CAS         the owner takes the last task without a CAS
    and these, which only WEAK makes fail:
      PLAIN_RING          the ring pointer's store is no release store
      PLAIN_BOTTOM        push's store of bottom is no release store. The smaller of two reads of bottom does not help a
                          thief when the owner pushes again where it has just popped
      SECOND_READ         with PLAIN_BOTTOM: the thief reads bottom only after the membarrier. (With the release store
                          one read is enough.)
*/

#ifndef PUSHES
#define PUSHES 3
#endif
#ifndef POPS
#define POPS 3
#endif
#ifndef THIEVES
#define THIEVES 2
#endif
#ifndef STEALS
#define STEALS 1
#endif
#ifndef LENGTH0
#define LENGTH0 1
#endif
#ifndef FIRST
#define FIRST 1
#endif
#ifndef BUFFER
#define BUFFER 18
#endif

/* Memory. The rings lie one behind the other in `slots`; the pointer to a ring is its number. A task is its number,
   from 1 on; 0 is an empty slot. */
#define SLOTS 7 /* of rings of 1, 2 and 4, or of 2 and 4 */
#define LENGTH(ring) (LENGTH0 << (ring))
#define START(ring) (LENGTH0 * ((1 << (ring)) - 1))
#define PLACE(ring, index) (START(ring) + ((index) & (LENGTH(ring) - 1)))

byte top = FIRST;
byte bottom = FIRST;
byte ring_pointer = 0;
byte slots[SLOTS];
#ifdef SPLIT_MASK
byte mask = LENGTH0 - 1;
#endif

/* The owner's store buffer: location and value. */
#define BOTTOM 0
#define RING 1
#define MASK 2
#define SLOT 3 /* + place: 3 .. 9 */
chan buffer = [BUFFER] of { byte, byte };

/* Of the check, not of the protocol. */
byte taken = 0;    /* a set of tasks: bit i - 1 for task i */
byte finished = 0; /* thieves that have ended */

/* Variables of a single step. */
hidden byte location;
hidden byte value;
hidden byte it;

/* One store reaches memory. */
inline apply() {
  if
  :: location == BOTTOM -> bottom = value
  :: location == RING -> ring_pointer = value
#ifdef SPLIT_MASK
  :: location == MASK -> mask = value
#endif
  :: location >= SLOT -> slots[location - SLOT] = value
  fi
}

inline store(where, what) {
  buffer ! where, what
}

/* What a membarrier, a fence or a locked instruction does to the owner's buffer. */
inline empty_buffer() {
  d_step {
    do
    :: nempty(buffer) -> buffer ? location, value; apply()
    :: empty(buffer) -> break
    od
  }
}

inline take(task) {
  assert(task != 0);
  assert((taken & (1 << (task - 1))) == 0);
  taken = taken | (1 << (task - 1))
}

/* The processor: the buffer drains at any time. `??` takes the oldest store to that location, `?` the oldest of all:
   a release store waits until it is that. (Then bottom's plain stores in pop wait as well, without loss: between
   a slot's store and one of these there is always the release store of bottom.) */
#define DRAIN(where) d_step { buffer ?? where, value -> location = where; apply() }
#define DRAIN_RELEASE(where) d_step { buffer ? where, value -> location = where; apply() }

active proctype hardware() {
end:
  do
#ifdef WEAK
#ifdef PLAIN_BOTTOM
  :: DRAIN(BOTTOM)
#else
  :: DRAIN_RELEASE(BOTTOM)
#endif
#ifdef PLAIN_RING
  :: DRAIN(RING)
#else
  :: DRAIN_RELEASE(RING)
#endif
  :: DRAIN(3)
  :: DRAIN(4)
  :: DRAIN(5)
  :: DRAIN(6)
  :: DRAIN(7)
  :: DRAIN(8)
  :: DRAIN(9)
#else
  :: d_step { buffer ? location, value -> apply() }
#endif
  od
}

inline store_mask() {
#ifdef SPLIT_MASK
  store(MASK, LENGTH(ring) - 1)
#else
  skip
#endif
}

inline publish() {
#ifdef MASK_FIRST
  store_mask();
  store(RING, ring)
#else
  store(RING, ring);
  store_mask()
#endif
}

inline copy() {
  i = t;
  do
  :: i < b -> store(SLOT + PLACE(ring, i), pushed[i - FIRST]); i++
  :: else -> break
  od;
  i = 0
}

inline grow() {
  ring++;
#ifdef PUBLISH_FIRST
  publish();
  copy()
#else
  copy();
  publish()
#endif
#ifdef CLEAR_OLD
  ; i = t;
  do
  :: i < b -> store(SLOT + PLACE(ring - 1, i), 0); i++
  :: else -> break
  od;
  i = 0
#endif
}

inline push() {
  t = top;
  if
#ifdef LATE_GROWTH
  :: b - t > LENGTH(ring) -> grow()
#else
  :: b - t >= LENGTH(ring) -> grow()
#endif
  :: else
  fi;
  t = 0;
  pushes++;
  pushed[b - FIRST] = pushes;
#ifdef BOTTOM_FIRST
  store(BOTTOM, b + 1);
  store(SLOT + PLACE(ring, b), pushes);
#else
  store(SLOT + PLACE(ring, b), pushes);
  store(BOTTOM, b + 1);
#endif
  b++
}

/* The owner reads its own slots through its buffer: it finds what it pushed there. */
inline pop() {
  pops++;
  b--;
  store(BOTTOM, b);
#ifdef FENCED
  empty_buffer();
#endif
  t = top;
  if
  :: t < b -> d_step { take(pushed[b - FIRST]); t = 0 }
#ifdef NO_LAST_CAS
  :: t == b -> d_step { take(pushed[b - FIRST]); t = 0 }
#else
  :: t == b ->
#ifndef WEAK
    empty_buffer();
#endif
    atomic {
      if
      :: top == t -> empty_buffer(); top = t + 1; take(pushed[b - FIRST])
      :: else
      fi;
      t = 0
    };
    b++;
    store(BOTTOM, b)
#endif
  :: t > b -> b++; t = 0; store(BOTTOM, b)
  fi
}

active proctype owner() {
  byte b = FIRST; /* its own bottom */
  byte ring = 0;
  byte pushed[PUSHES]; /* pushed[i - FIRST] is the task it last pushed at index i */
  byte pushes = 0, pops = 0, t, i;
  do
  :: pushes < PUSHES -> push()
  :: pops < POPS -> pop()
  :: else -> break
  od;
  empty_buffer();
  finished == THIEVES;
  d_step {
    i = top;
    do
    :: i < bottom -> it = slots[PLACE(ring_pointer, i)]; take(it); i++
    :: else -> break
    od;
    assert(taken == (1 << PUSHES) - 1)
  }
}

inline read_ring_pointer() {
#if SPLIT_MASK == 1
  ring = ring_pointer;
  m = mask
#elif SPLIT_MASK == 2
  m = mask;
  ring = ring_pointer
#else
  ring = ring_pointer
#endif
}

inline read_slot() {
#ifndef EARLY_RING
  read_ring_pointer();
#endif
#ifdef SPLIT_MASK
  assert((t & m) < LENGTH(ring)); /* else a read outside the ring */
  task = slots[START(ring) + (t & m)]
#else
  task = slots[PLACE(ring, t)]
#endif
}

#define NO_LIMIT 255

inline read_top_and_bottom() {
#if defined(SECOND_READ)
  t = top;
  b = NO_LIMIT
#elif defined(WEAK)
  if
  :: t = top; b = bottom
  :: b = bottom; t = top
  fi
#else
  t = top;
  b = bottom
#endif
}

inline read_bottom_again() {
#ifdef FIRST_READ
  skip
#else
  d_step { if :: bottom < b -> b = bottom :: else fi }
#endif
}

inline steal() {
#ifdef EARLY_RING
  read_ring_pointer();
#endif
#ifdef BARRIER_FIRST
  empty_buffer();
#endif
  read_top_and_bottom();
  if
  :: t < b ->
#if !defined(NO_BARRIER) && !defined(BARRIER_FIRST) && !defined(FENCED)
    empty_buffer();
#endif
#ifdef SLOT_BEFORE_BOTTOM
    read_slot();
    read_bottom_again();
#else
    read_bottom_again();
    read_slot();
#endif
    atomic {
      if
      :: t < b && top == t -> top = t + 1; take(task)
      :: else
      fi
    }
  :: else
  fi
}

active [THIEVES] proctype thief() {
  byte attempts = 0, t, b, ring, task;
#ifdef SPLIT_MASK
  byte m;
#endif
  do
  :: attempts < STEALS ->
    steal();
    d_step {
      attempts++; t = 0; b = 0; ring = 0; task = 0
#ifdef SPLIT_MASK
      ; m = 0
#endif
    }
  :: else -> break
  od;
  finished++
}
