// Part of every program of a sanitizer build: MPI as the leak detector can bear it.
//
// MPI unloads its plugins at the end. The detector, which runs after that, could then no longer tell whose a leak is, and
// the suppressions for MPI's own would not apply.
extern "C" int dlclose(void*) noexcept {
    return 0;
}

// What MPI allocates as it starts is its own, and as good as all that it never gives back. Suppressions would do as well,
// but they read the debugging information of the whole program before they match: 0.1 s a process.
extern "C" void __lsan_disable() __attribute__((weak)); // not there under the thread sanitizer
extern "C" void __lsan_enable() __attribute__((weak));
extern "C" int PMPI_Init(int*, char***);
extern "C" int PMPI_Init_thread(int*, char***, int, int*);

namespace {
struct not_to_be_reported {
    not_to_be_reported() {
        if (__lsan_disable != nullptr) __lsan_disable();
    }
    ~not_to_be_reported() {
        if (__lsan_enable != nullptr) __lsan_enable();
    }
    not_to_be_reported(not_to_be_reported const&) = delete;
    not_to_be_reported& operator=(not_to_be_reported const&) = delete;
};
} // namespace

extern "C" int MPI_Init(int* argc, char*** argv) {
    not_to_be_reported const all_of_this;
    return PMPI_Init(argc, argv);
}

extern "C" int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    not_to_be_reported const all_of_this;
    return PMPI_Init_thread(argc, argv, required, provided);
}
