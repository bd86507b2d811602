/*  Thieves that ask the owner of a deque for its eldest task.

    THE PROTOCOL.  The victim's deque has a word `asker`, each thief's has a word `reply`. A domain has a flag `request` (0:
    nothing; 1: the runtime's tick wants another system thread to run; 2: a thief asks) and a flag `young`: the domain
    stops at its next safepoint.

      ask (thief)     reply <- none; CAS asker from nobody to itself, else another one asks, and it waits or gives up;
                      CAS request from 0 to 2 (any other value is there already, and will do); young <- true; wait for
                      the reply. When it has waited for long: CAS asker from itself to nobody; if that fails, the answer
                      is on its way, and it waits on.
      safepoint       if young: young <- false, and if request is not 0, the hook. The hook: CAS request from 2 to 0; then
      (victim)        the runtime's hook: if request is 1: request <- 0, and the tick is served; then answer.
      answer          exchange asker for nobody. If there was a thief: take the eldest task by a CAS of top, until that
      (victim)        succeeds or there is none; then write the thief's reply.
      abandon         the deque is empty, and its domain ends: answer. Later another domain may have the deque.

    The victim is at a safepoint, so it is in no operation of its own on the deque, and its bottom is what it reads. Other
    thieves, which do not ask, take tasks by a CAS of top at any time (deque.pml).

    STATES OF A QUESTION.  Asked -> answered, by the exchange of asker, or withdrawn, by the thief's CAS: one of them. The
    exchange is what gives the victim the right to write the reply. Checked: no task is taken twice or lost; a reply
    comes to a thief that waits for it; at a safepoint that does nothing, nobody waits who has interrupted the
    domain; no tick is lost.

    Assumed: the hook runs in the owner's thread. If another thread has the domain, it clears the request and answers nothing:
    then the thief waits until it withdraws, as for a victim that is in C.

    MEMORY.  asker, request, young and top are written by sequentially consistent operations; a reply by a release store,
    read by an acquire load. So memory is sequentially consistent here.

    KNOBS.
      THIEVES, ASKS   how many thieves ask, and how often each
      TASKS           how many tasks the victim pushes; it pops in between, and thieves that do not ask take some
      TICKS           how often the runtime's tick comes
      LIVES           how many domains have the deque, one after the other

    MUTANTS.
      READ_AND_CLEAR   the victim reads asker, then clears it: no exchange
      BLIND_WITHDRAWAL the thief withdraws by a store
      NO_WAIT          a thief whose withdrawal fails does not wait for the answer
      LATE_REPLY       the thief clears its reply after it has asked
      EARLY_INTERRUPT  the thief interrupts the domain before it writes asker
      LATE_CLEAR       the hook clears request after the answer
      EARLY_ANSWER     the runtime's hook comes after the answer
      SWALLOW          the hook clears request, whatever it is
      STORE_FLAG       the thief stores 2 in request, whatever it is
      NO_CAS           the victim takes the eldest task without a CAS
*/

#ifndef THIEVES
#define THIEVES 2
#endif
#ifndef ASKS
#define ASKS 2
#endif
#ifndef TASKS
#define TASKS 2
#endif
#ifndef TICKS
#define TICKS 1
#endif
#ifndef LIVES
#define LIVES 2
#endif

#define NOBODY 255
#define NONE 254    /* no reply yet */
#define NOTHING 253 /* the deque was empty */

byte asker = NOBODY;
byte reply[THIEVES];
byte request = 0;
bool young = false;
bool adopted = false; /* a domain has the deque */
byte lives = 0;       /* how many domains have had it; the last one is interrupted by who knows it */

/* The deque: task i has index i, and is never pushed again. */
byte top = 0;
byte bottom = 0;

/* Of the check, not of the protocol. */
byte taken = 0;           /* a set of tasks */
bool waits[THIEVES];      /* the thief has interrupted the domain, and waits */
bool tick_due = false;    /* a tick has come and was not served */
byte finished = 0;

inline take(task) {
  assert((taken & (1 << (task))) == 0);
  taken = taken | (1 << (task))
}

inline answer() {
#ifdef READ_AND_CLEAR
  thief = asker;
  asker = NOBODY;
#else
  d_step { thief = asker; asker = NOBODY };
#endif
  if
  :: thief != NOBODY ->
    given = NOTHING;
    t = top;
    do
    :: given == NOTHING && t < bottom ->
#ifdef NO_CAS
      given = t;
      top = t + 1
#else
      d_step {
        if
        :: top == t -> given = t; top = t + 1
        :: else -> t = top
        fi
      }
#endif
    :: else -> break
    od;
    skip;
    d_step {
      assert(reply[thief] == NONE);
      reply[thief] = given;
      thief = NOBODY; given = 0; t = 0
    }
  :: else
  fi
}

inline clear_request() {
#ifdef SWALLOW
  request = 0
#else
  d_step { if :: request == 2 -> request = 0 :: else fi }
#endif
}

inline serve_tick() {
  d_step {
    if
    :: request == 1 -> request = 0; tick_due = false
    :: else
    fi
  }
}

inline hook() {
#ifdef LATE_CLEAR
  answer();
  clear_request();
  serve_tick()
#elif defined(EARLY_ANSWER)
  clear_request();
  answer();
  serve_tick()
#else
  clear_request();
  serve_tick();
  answer()
#endif
}

inline safepoint() {
  atomic {
    if
    :: young -> young = false
    :: else ->
      /* Nobody who has interrupted this domain waits for ever, and no tick is lost. */
      assert(asker == NOBODY || !waits[asker]);
      assert(!tick_due);
      goto calm
    fi
  };
  if
  :: request != 0 -> hook()
  :: else
  fi;
calm:
  skip
}

active proctype victim() {
  byte pushes = 0, thief = NOBODY, given, t;
  bool popped = false;
  do
  :: lives < LIVES ->
    d_step { adopted = true; lives++ };
    do
    :: !popped && pushes < TASKS -> d_step { pushes++; bottom++ }
    :: d_step { top < bottom -> bottom--; take(bottom); popped = true } /* no more pushes: an index is one task */
    :: true -> safepoint()
    :: top >= bottom -> break
    od;
    adopted = false;
    answer();
    /* What was requested of this domain is gone with it. */
    d_step {
      young = false;
      request = 0;
      tick_due = false;
      thief = 0;
      do
      :: thief < THIEVES -> waits[thief] = false; thief++
      :: else -> break
      od;
      thief = NOBODY
    }
  :: else -> break
  od;
  finished == THIEVES;
  assert(taken == (1 << pushes) - 1)
}

/* A thief that does not ask. */
active proctype other() {
end:
  do
  :: d_step { top < bottom -> take(top); top++ }
  od
}

active proctype tick() {
  byte ticks = 0;
  do
  :: d_step { ticks < TICKS && adopted -> tick_due = true; request = 1; young = true; ticks++ }
  :: true -> break
  od
}

/* A domain that has gone, or works for another deque, is interrupted for nothing. */
inline interrupt() {
  d_step {
    if
#ifdef STORE_FLAG
    :: adopted && lives == life -> request = 2
#else
    :: adopted && lives == life && request == 0 -> request = 2
#endif
    :: else
    fi
  };
  d_step {
    if
    :: adopted && lives == life -> young = true; waits[me] = true
    :: else
    fi
  }
}

active [THIEVES] proctype asking() {
  byte asks = 0, me = _pid - 3, got, life;
  do
  :: d_step { asks < ASKS && adopted -> asks++; life = lives }
    got = NOTHING;
#ifndef LATE_REPLY
    reply[me] = NONE;
#endif
#ifdef EARLY_INTERRUPT
    interrupt();
#endif
    if
    :: atomic { asker == NOBODY -> asker = me };
#ifdef LATE_REPLY
      reply[me] = NONE;
#endif
#ifndef EARLY_INTERRUPT
      interrupt();
#endif
      if
      :: atomic { reply[me] != NONE -> got = reply[me] }
#ifdef BLIND_WITHDRAWAL
      :: asker = NOBODY
#elif defined(NO_WAIT)
      :: d_step { if :: asker == me -> asker = NOBODY :: else fi }
#else
      :: atomic { asker == me -> asker = NOBODY }
#endif
      fi;
      d_step {
        waits[me] = false;
        if
        :: got < TASKS -> take(got)
        :: else
        fi;
        reply[me] = NOTHING;
        life = 0
      }
    :: asker != NOBODY -> skip /* it gives up */
    fi
  :: true -> break
  od;
  finished++
}
