#include <weft/core/environment.hpp>

#include <core/lone_start.hpp>

#include <harness/mpi_test.hpp>

#include <cstdlib>
#include <string>

namespace {

/// A variable of the environment for the time of a test.
class variable {
public:
    variable(char const* name, char const* value) : name_(name) {
        if (char const* const old = std::getenv(name)) old_ = old;
        value != nullptr ? setenv(name, value, 1) : unsetenv(name);
    }
    ~variable() { old_.empty() ? unsetenv(name_) : setenv(name_, old_.c_str(), 1); }
    variable(variable const&) = delete;
    variable& operator=(variable const&) = delete;

private:
    char const* name_;
    std::string old_;
};

} // namespace

TEST(lone_start, answers_hold_for_its_life) {
    variable const unset("OMPI_MCA_pml", nullptr);
    {
        weft::lone_start const alone;
        EXPECT_STREQ(std::getenv("OMPI_MCA_pml"), "ob1");
    }
    EXPECT_EQ(std::getenv("OMPI_MCA_pml"), nullptr);
}

TEST(lone_start, values_of_the_user_stay) {
    variable const chosen("OMPI_MCA_pml", "cm");
    {
        weft::lone_start const alone;
        EXPECT_STREQ(std::getenv("OMPI_MCA_pml"), "cm");
    }
    EXPECT_STREQ(std::getenv("OMPI_MCA_pml"), "cm");
}

TEST(launched_by_mpi, goes_by_the_variables_of_launchers) {
    variable const none_of_open_mpi("OMPI_COMM_WORLD_SIZE", nullptr);
    variable const none_of_pmix("PMIX_RANK", nullptr);
    variable const none_of_mpich("PMI_RANK", nullptr);
    variable const no_size("PMI_SIZE", nullptr);
    EXPECT_FALSE(weft::launched_by_mpi());
    variable const of_slurm("PMI_RANK", "3");
    EXPECT_TRUE(weft::launched_by_mpi());
}
