// Preloaded (LD_PRELOAD), gives the kernel a copy of the mask: valgrind (3.19) removes signals from the mask itself,
// which libdispatch.so has where nobody may write, and ends there.
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#define KERNEL_MASK_BYTES 8 // of sigset_t, as rt_sigsuspend(2) has it

int sigsuspend(const sigset_t *mask) {
    sigset_t copy = *mask;
    return (int)syscall(SYS_rt_sigsuspend, &copy, KERNEL_MASK_BYTES);
}
