#include <transport/left_names.hpp>

#include <harness/mpi_test.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

namespace {

constexpr long no_process = 1L << 23; // above the largest number of a process

std::string name_of(long process, char const* what) {
    return std::string(weft::shared_name_prefix) + std::to_string(process) + "-1-" + what;
}

/// Makes shared memory with this name and size, whose time of change is `seconds` ago.
void make(std::string const& name, long seconds, off_t bytes) {
    int const made = shm_open(name.c_str(), O_CREAT | O_RDWR, S_IRUSR | S_IWUSR);
    ASSERT_GE(made, 0) << name;
    ASSERT_EQ(ftruncate(made, bytes), 0);
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    now.tv_sec -= seconds;
    timespec const both[2] = {now, now};
    ASSERT_EQ(futimens(made, both), 0);
    close(made);
}

/// Removes a name; returns false if it was not there.
bool take(std::string const& name) {
    return shm_unlink(name.c_str()) == 0;
}

TEST(left_names, of_processes_that_are_gone_are_removed) {
    std::string const mine = "test" + std::to_string(getpid()); // ranks of this test see each other's names
    std::string const left = name_of(no_process, mine.c_str());
    std::string const young = name_of(no_process, (mine + "young").c_str());
    std::string const full = name_of(no_process, (mine + "full").c_str());
    std::string const living = name_of(getpid(), "living");
    std::string const foreign = "weft-" + mine;
    make(left, 3600, 0);
    make(young, 0, 0);
    make(full, 3600, 4096);
    make(living, 3600, 0);
    make(foreign, 3600, 0);
    weft::sweep_left_names();
    EXPECT_FALSE(take(left));
    EXPECT_TRUE(take(young));
    EXPECT_TRUE(take(full));
    EXPECT_TRUE(take(living));
    EXPECT_TRUE(take(foreign));
}

} // namespace
