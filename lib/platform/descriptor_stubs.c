/* System calls that do not wait: see descriptor.mli. */
#define _GNU_SOURCE
#include <caml/mlvalues.h>
#include <caml/memory.h>
#include <caml/signals.h>
#include <caml/unixsupport.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0 /* then SIGPIPE is masked, as for other descriptors */
#endif

enum { WOULD_WAIT = -1, MAY_WAIT = -2, ERRORS = -2 };
enum { MOST = 65536, MOST_WAITING = 512 };

static value outcome(ssize_t n)
{
  if (n >= 0) return Val_long(n);
  if (errno == EAGAIN || errno == EWOULDBLOCK) return Val_long(WOULD_WAIT);
  return Val_long(ERRORS - errno);
}

static int is_blocking(int fd)
{
  int flags = fcntl(fd, F_GETFL);
  return flags != -1 && !(flags & O_NONBLOCK);
}

value weft_descriptor_read(value v, value bytes, value pos, value len)
{
  int fd = Int_val(v);
  unsigned char *to = &Byte_u(bytes, Long_val(pos));
  size_t most = Long_val(len) < MOST ? Long_val(len) : MOST;
  ssize_t n;
  do n = recv(fd, to, most, MSG_DONTWAIT);
  while (n < 0 && errno == EINTR);
  if (n < 0 && errno == ENOTSOCK) {
    if (is_blocking(fd)) return Val_long(MAY_WAIT);
    do n = read(fd, to, most);
    while (n < 0 && errno == EINTR);
  }
  return outcome(n);
}

static ssize_t send_now(int fd, const void *from, size_t n) { return send(fd, from, n, MSG_DONTWAIT | MSG_NOSIGNAL); }

/* Calls [write] or [send_now]. A SIGPIPE that it causes is its thread's. It is masked, and taken away,
   unless one was pending before. */
static ssize_t quietly(ssize_t (*call)(int, const void *, size_t), int fd, const void *from, size_t n)
{
  sigset_t pipes, before, pending;
  sigemptyset(&pipes);
  sigaddset(&pipes, SIGPIPE);
  sigpending(&pending);
  int was_pending = sigismember(&pending, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipes, &before);
  ssize_t written;
  do written = call(fd, from, n);
  while (written < 0 && errno == EINTR);
  int why = errno;
  if (written < 0 && why == EPIPE && !was_pending) {
    int taken;
    sigpending(&pending);
    if (sigismember(&pending, SIGPIPE)) sigwait(&pipes, &taken);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  errno = why;
  return written;
}

value weft_descriptor_write(value v, value bytes, value pos, value len)
{
  int fd = Int_val(v);
  const unsigned char *from = &Byte_u(bytes, Long_val(pos));
  size_t most = Long_val(len) < MOST ? Long_val(len) : MOST;
  ssize_t n;
  do n = MSG_NOSIGNAL != 0 ? send_now(fd, from, most) : quietly(send_now, fd, from, most);
  while (n < 0 && errno == EINTR);
  if (n < 0 && errno == ENOTSOCK) {
    if (is_blocking(fd)) return Val_long(MAY_WAIT);
    n = quietly(write, fd, from, most);
  }
  return outcome(n);
}

value weft_descriptor_write_waiting(value fd, value bytes, value pos, value len)
{
  unsigned char copy[MOST_WAITING];
  size_t n = Long_val(len) < MOST_WAITING ? Long_val(len) : MOST_WAITING;
  memcpy(copy, &Byte_u(bytes, Long_val(pos)), n);
  caml_enter_blocking_section();
  ssize_t written = quietly(write, Int_val(fd), copy, n);
  int why = errno;
  caml_leave_blocking_section();
  return Val_long(written < 0 ? -why : written);
}

value weft_descriptor_is_ready(value fd, value writes)
{
  struct pollfd p = { .fd = Int_val(fd), .events = Bool_val(writes) ? POLLOUT : POLLIN };
  int n;
  do n = poll(&p, 1, 0);
  while (n < 0 && errno == EINTR);
  if (n < 0) return Val_int(-errno);
  /* [poll] passes over negative numbers. */
  if (p.fd < 0 || p.revents & POLLNVAL) return Val_int(-EBADF);
  return Val_int(n);
}

value weft_descriptor_of_process(value pid)
{
#if defined(__linux__) && defined(SYS_pidfd_open)
  return Val_int(syscall(SYS_pidfd_open, (pid_t)Int_val(pid), 0));
#else
  return Val_int(-1);
#endif
}

value weft_descriptor_fail(value error, value call)
{
  CAMLparam2(error, call);
  char name[64];
  /* [caml_unix_error] allocates before it reads the name. */
  snprintf(name, sizeof name, "%s", String_val(call));
  caml_unix_error(Int_val(error), name, Nothing);
  CAMLreturn(Val_unit);
}
