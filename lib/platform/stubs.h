/* What the C files of this library know of each other. */
#ifndef WEFT_STUBS_H
#define WEFT_STUBS_H
#include <caml/mlvalues.h>

/* deque_memory_stubs.c. The owner's next push takes its slow path. From any thread, also one that is none of OCaml's; the deque may
   be free. */
void weft_deque_request_preempt_on(value deque);

/* timer_thread_stubs.c. What Timer_thread.now returns, if it is not 0. */
extern intnat weft_virtual_time;

/* tsc_stubs.c. Tsc.now. */
intnat weft_ticks(value unit);

/* membarrier_stubs.c. What a heavy barrier has cost lately, in ticks. */
intnat weft_barrier_ticks(void);

/* What a thread does between two looks at a word that another one will write. */
#if defined(__x86_64__)
#define WEFT_RELAX() __builtin_ia32_pause()
#elif defined(__aarch64__)
#define WEFT_RELAX() __asm__ volatile("isb" ::: "memory")
#else
#define WEFT_RELAX() __asm__ volatile("" ::: "memory")
#endif

/* parker_stubs.c. The C side of a parker, which lives until it has been dropped as often as kept. All from any thread. */
struct parker;
struct parker *weft_parker_of(value parker);
struct parker *weft_parker_keep(value parker);
void weft_parker_drop(struct parker *parker);
/* Gives a token. */
void weft_parker_give(struct parker *parker);
/* Gives a token if a thread is waiting for one, and tells whether. */
int weft_parker_give_waiting(struct parker *parker);

/* c_thread_stubs.c. Starts a detached thread with a small stack that takes no signals; 0, or an error number. */
int weft_start_thread(void *(*main)(void *), void *argument);

/* timer_thread_stubs.c. The alarm goes off now. From any thread. */
void weft_alarm_go_off(value alarm);

/* timer_thread_stubs.c. 0, or an error number. Who holds a lock of its own while alarms go off, and across forks, calls this before
   its own pthread_atfork: then a fork takes that lock first. */
int weft_alarm_prepare_for_forks(void);

#endif
