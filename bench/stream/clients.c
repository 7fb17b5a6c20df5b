/*
 * Thousands of readers in one thread: each finds the time in each event that it receives. Reads commands from standard input
 * (see clients.ts), answers each with one line, and ends with its input.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* Limit of connections that are opened concurrently. */
#define OPENING 200
#define PATIENCE_US 60000000
#define MAX_CONNECTIONS 32768
#define PORTS_PER_ADDRESS 10000
/* Text before the digits of the time, written by event.ts. */
#define STAMP "\"name\":\"sent "
#define STAMP_LENGTH (sizeof STAMP - 1)
#define STAMP_DIGITS 16
#define STAMP_BYTES (STAMP_LENGTH + STAMP_DIGITS)
/* Bins of the histogram (histogram.ts): up to 60 s. */
#define BIN_US 100
#define BINS 600000
/*
 * Time between two polls of the sockets. A sleeping reader would be woken by each write, and the wake-up would count as the
 * server's CPU time: in the field it is another machine's.
 */
#define PAUSE_US 1000
/* Sockets per poll. */
#define READY 1024
/* Interval of unsolicited pongs, which a WebSocket sends with the next bytes it receives: the server then needs no ping. */
#define SIGN_EVERY_US 25000000
static const unsigned char PONG[] = {0x8a, 0x80, 0, 0, 0, 0};

typedef struct {
  int fd;
  int64_t since; /* start of the connection, then time of the last pong */
  char *head;    /* the answer's head so far, until it is complete */
  size_t held;
  bool is_open;
  bool is_ws;
  bool is_stalled;
  char rest[STAMP_BYTES]; /* possible beginning of a time that was cut */
  size_t rest_length;
} Connection;

static Connection *connections[MAX_CONNECTIONS];
static int count = 0, opened_ever = 0, poller;
static uint32_t histogram[BINS];
static int64_t received = 0, bytes_received = 0, ended = 0, waited_us = 0, reset_at = 0;
/* Shared by all sockets: data is read behind the rest of the previous read. */
static char shared[STAMP_BYTES + 256 * 1024];

static int64_t now_us(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (int64_t)at.tv_sec * 1000000 + at.tv_nsec / 1000;
}

static void fail(const char *format, ...) {
  va_list values;
  va_start(values, format);
  fputs("fault ", stdout);
  vprintf(format, values);
  va_end(values);
  putchar('\n');
  fflush(stdout);
  exit(1);
}

/* Finds times in the received bytes, which begin at `data`. */
static void look(Connection *one, const char *data, size_t length) {
  const char *next = data, *end = data + length;
  const int64_t now = now_us();
  for (;;) {
    const char *found = memmem(next, end - next, STAMP, STAMP_LENGTH);
    if (found == NULL || found + STAMP_BYTES > end) break;
    int64_t sent = 0;
    for (int i = 0; i < STAMP_DIGITS; i++) sent = sent * 10 + found[STAMP_LENGTH + i] - '0';
    const int64_t bin = (now - sent) / BIN_US;
    histogram[bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin]++;
    received++;
    next = found + STAMP_BYTES;
  }
  one->rest_length = end - next < (ptrdiff_t)STAMP_BYTES - 1 ? (size_t)(end - next) : STAMP_BYTES - 1;
  memcpy(one->rest, end - one->rest_length, one->rest_length);
}

static void take_head(Connection *one, const char *data, size_t length) {
  one->head = realloc(one->head, one->held + length + 1);
  memcpy(one->head + one->held, data, length);
  one->held += length;
  one->head[one->held] = '\0';
  char *end = memmem(one->head, one->held, "\r\n\r\n", 4);
  if (end == NULL) return;
  if (strncmp(one->head, "HTTP/1.1 200 ", 13) != 0 && strncmp(one->head, "HTTP/1.1 101 ", 13) != 0)
    fail("%.*s", (int)strcspn(one->head, "\r\n"), one->head);
  one->is_open = true;
  one->since = now_us();
  end += 4;
  look(one, end, one->held - (end - one->head));
  free(one->head);
  one->head = NULL;
  if (one->is_stalled) epoll_ctl(poller, EPOLL_CTL_DEL, one->fd, NULL);
}

static void read_from(Connection *one) {
  memcpy(shared, one->rest, one->rest_length);
  const ssize_t length = read(one->fd, shared + one->rest_length, sizeof shared - STAMP_BYTES);
  if (length < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (length <= 0) {
    if (!one->is_open) fail("a connection was not opened: %s", length < 0 ? strerror(errno) : "closed");
    ended++;
    epoll_ctl(poller, EPOLL_CTL_DEL, one->fd, NULL);
    return;
  }
  if (!one->is_open) {
    take_head(one, shared, length);
    return;
  }
  bytes_received += length;
  const int64_t now = one->is_ws ? now_us() : 0;
  if (one->is_ws && now - one->since > SIGN_EVERY_US) {
    one->since = now;
    if (write(one->fd, PONG, sizeof PONG) != sizeof PONG) fail("a sign of life was not taken: %s", strerror(errno));
  }
  look(one, shared, one->rest_length + length);
}

/* @returns whether standard input has data */
static bool turn(void) {
  static struct epoll_event found[READY];
  static int ready = 0;
  if (ready < READY) {
    const int64_t begun = now_us();
    usleep(PAUSE_US);
    waited_us += now_us() - begun;
  }
  ready = epoll_wait(poller, found, READY, 0);
  for (int i = 0; i < ready; i++) read_from(found[i].data.ptr);
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  return poll(&input, 1, 0) > 0;
}

static char *read_line(void) {
  static char line[4096];
  if (fgets(line, sizeof line, stdin) == NULL) exit(0);
  line[strcspn(line, "\n")] = '\0';
  return line;
}

static char **read_lines(int lines) {
  char **given = malloc(sizeof *given * (lines + 1));
  for (int i = 0; i < lines; i++) given[i] = strdup(read_line());
  return given;
}

/* Ports of this process alone: ports of earlier clients are not free for a minute. */
static struct sockaddr_in own_address(void) {
  const int pid = getpid();
  const uint32_t host = 0x7f000000u | (1 + pid / 250 % 250) << 16 | (pid % 250) << 8 | (1 + opened_ever / PORTS_PER_ADDRESS % 200);
  return (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(host)};
}

static Connection *begin(int port, bool is_ws, bool is_stalled, const char *path, const char *key) {
  Connection *one = calloc(1, sizeof *one);
  const int on = 1;
  const struct sockaddr_in own = own_address();
  const struct sockaddr_in server = {
      .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  opened_ever++;
  one->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  one->is_ws = is_ws;
  one->is_stalled = is_stalled;
  one->since = now_us();
  setsockopt(one->fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
  setsockopt(one->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (bind(one->fd, (struct sockaddr *)&own, sizeof own) != 0) fail("bind: %s", strerror(errno));
  /* On this machine the kernel connects, or reports a full queue, at once. */
  if (connect(one->fd, (struct sockaddr *)&server, sizeof server) != 0) fail("connect: %s", strerror(errno));
  dprintf(one->fd, "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s%s%s%s\r\n", path, port, key ? "X-API-Key: " : "", key ? key : "",
          key ? "\r\n" : "",
          is_ws ? "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                : "Accept: text/event-stream\r\n");
  fcntl(one->fd, F_SETFL, O_NONBLOCK);
  struct epoll_event wanted = {.events = EPOLLIN, .data.ptr = one};
  epoll_ctl(poller, EPOLL_CTL_ADD, one->fd, &wanted);
  return one;
}

static void open_all(int port, bool is_ws, int wanted, bool is_stalled, int path_count, int key_count) {
  char **paths = read_lines(path_count), **keys = read_lines(key_count);
  const int64_t begun = now_us();
  const int first = count;
  if (first + wanted > MAX_CONNECTIONS) fail("at most %d connections", MAX_CONNECTIONS);
  for (int done = first; done < first + wanted;) {
    while (count < first + wanted && count - done < OPENING) {
      const int n = count - first;
      connections[count] = begin(port, is_ws, is_stalled, paths[n % path_count], key_count == 0 ? NULL : keys[n % key_count]);
      count++;
    }
    turn();
    while (done < count && connections[done]->is_open) done++;
    if (done < count && now_us() - connections[done]->since > PATIENCE_US)
      fail("no answer within %d s: %.100s", PATIENCE_US / 1000000, connections[done]->head ? connections[done]->head : "");
  }
  printf("%.3f\n", (now_us() - begun) / 1000.0);
  for (int i = 0; i < path_count; i++) free(paths[i]);
  for (int i = 0; i < key_count; i++) free(keys[i]);
  free(paths);
  free(keys);
}

static void reset(void) {
  memset(histogram, 0, sizeof histogram);
  received = bytes_received = waited_us = 0;
  reset_at = now_us();
  puts("ok");
}

static void results(void) {
  const double busy = 1 - (double)waited_us / (now_us() - reset_at);
  printf("{\"received\":%ld,\"bytes\":%ld,\"ended\":%ld,\"busy\":%.4f,\"histogram\":[", received, bytes_received, ended, busy);
  int last = BINS - 1;
  while (last > 0 && histogram[last] == 0) last--;
  for (int bin = 0; bin <= last; bin++) printf(bin == 0 ? "%u" : ",%u", histogram[bin]);
  puts("]}");
}

static void close_all(void) {
  for (int i = 0; i < count; i++) {
    close(connections[i]->fd);
    free(connections[i]);
  }
  count = 0;
  ended = 0;
  puts("ok");
}

static void obey(char *line) {
  int port, is_ws, wanted, is_stalled, path_count, key_count;
  if (sscanf(line, "open %d %d %d %d %d %d", &port, &is_ws, &wanted, &is_stalled, &path_count, &key_count) == 6)
    open_all(port, is_ws, wanted, is_stalled, path_count, key_count);
  else if (strcmp(line, "reset") == 0) reset();
  else if (strcmp(line, "received") == 0) printf("%ld\n", received);
  else if (strcmp(line, "results") == 0) results();
  else if (strcmp(line, "close") == 0) close_all();
  else fail("unknown command: %s", line);
  fflush(stdout);
}

int main(void) {
  /* No data may wait in a buffer, which poll does not see. */
  setvbuf(stdin, NULL, _IONBF, 0);
  poller = epoll_create1(EPOLL_CLOEXEC);
  const struct rlimit files = {MAX_CONNECTIONS + 100, MAX_CONNECTIONS + 100};
  setrlimit(RLIMIT_NOFILE, &files);
  reset_at = now_us();
  for (;;)
    if (turn()) obey(read_line());
}
