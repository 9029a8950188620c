// Part of every program of a sanitizer build. MPI unloads its plugins at the end; the leak detector, which runs after
// that, could then no longer tell whose a leak is, and the suppressions for MPI's own would not apply.
extern "C" int dlclose(void*) noexcept {
    return 0;
}
