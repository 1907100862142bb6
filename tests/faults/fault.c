/* Lets the n-th call on a file of one folder fail, for tests of a process that loads it first.
 *
 * FAULT_DIR names the folder, FAULT_NTH the call (from 1; 0 for none), FAULT_COUNT a file that is told at the end how
 * many there were. What fails, fails once: opening for want of descriptors, writing for want of room, all else as a bad
 * disk does. Every other failure of opening and writing is that of a bad disk too. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static long passed;

static int fails(const char *path, int other) {
    const char *dir = getenv("FAULT_DIR");
    const char *nth = getenv("FAULT_NTH");
    if (!dir || !path || strncmp(path, dir, strlen(dir)) != 0) return 0;
    long now = __sync_add_and_fetch(&passed, 1);
    if (!nth || atol(nth) != now) return 0;
    errno = now % 2 ? EIO : other;
    return 1;
}

static int fails_at(int fd, int other) {
    char link[64], path[PATH_MAX];
    if (fd <= 2) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0) return 0;
    path[size] = 0;
    return fails(path, other);
}

__attribute__((destructor)) static void tell(void) {
    const char *to = getenv("FAULT_COUNT");
    FILE *file = to ? fopen(to, "w") : NULL;
    if (file) {
        fprintf(file, "%ld\n", passed);
        fclose(file);
    }
}

#define REAL(name) __typeof__(name) *real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

#define OPEN(name)                                            \
    int name(const char *path, int flags, ...) {              \
        REAL(name);                                           \
        va_list rest;                                         \
        va_start(rest, flags);                                \
        mode_t mode = va_arg(rest, mode_t);                   \
        va_end(rest);                                         \
        return fails(path, EMFILE) ? -1 : real(path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                          \
    int name(int at, const char *path, int flags, ...) {      \
        REAL(name);                                           \
        va_list rest;                                         \
        va_start(rest, flags);                                \
        mode_t mode = va_arg(rest, mode_t);                   \
        va_end(rest);                                         \
        return fails(path, EMFILE) ? -1 : real(at, path, flags, mode); \
    }
OPENAT(openat)
OPENAT(openat64)

ssize_t read(int fd, void *to, size_t size) {
    REAL(read);
    return fails_at(fd, EIO) ? -1 : real(fd, to, size);
}
ssize_t pread(int fd, void *to, size_t size, off_t at) {
    REAL(pread);
    return fails_at(fd, EIO) ? -1 : real(fd, to, size, at);
}
ssize_t pread64(int fd, void *to, size_t size, off64_t at) {
    REAL(pread64);
    return fails_at(fd, EIO) ? -1 : real(fd, to, size, at);
}
ssize_t write(int fd, const void *from, size_t size) {
    REAL(write);
    return fails_at(fd, ENOSPC) ? -1 : real(fd, from, size);
}
ssize_t pwrite(int fd, const void *from, size_t size, off_t at) {
    REAL(pwrite);
    return fails_at(fd, ENOSPC) ? -1 : real(fd, from, size, at);
}
ssize_t pwrite64(int fd, const void *from, size_t size, off64_t at) {
    REAL(pwrite64);
    return fails_at(fd, ENOSPC) ? -1 : real(fd, from, size, at);
}
int fsync(int fd) {
    REAL(fsync);
    return fails_at(fd, ENOSPC) ? -1 : real(fd);
}
int fdatasync(int fd) {
    REAL(fdatasync);
    return fails_at(fd, ENOSPC) ? -1 : real(fd);
}
int ftruncate64(int fd, off64_t size) {
    REAL(ftruncate64);
    return fails_at(fd, ENOSPC) ? -1 : real(fd, size);
}
int rename(const char *from, const char *to) {
    REAL(rename);
    return fails(from, ENOSPC) ? -1 : real(from, to);
}
int link(const char *from, const char *to) {
    REAL(link);
    return fails(from, ENOSPC) ? -1 : real(from, to);
}
int linkat(int at, const char *from, int there, const char *to, int flags) {
    REAL(linkat);
    return fails(from, ENOSPC) ? -1 : real(at, from, there, to, flags);
}
int unlink(const char *path) {
    REAL(unlink);
    return fails(path, EIO) ? -1 : real(path);
}
