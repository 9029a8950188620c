#include <observe/call_sites.hpp>

#include <harness/mpi_test.hpp>

#include <string>
#include <string_view>

using weft::is_of_program;

TEST(call_sites, functions_of_the_program_are_told_from_others_by_name_and_file) {
    EXPECT_TRUE(is_of_program("main", "/home/me/degree.cpp"));
    EXPECT_TRUE(is_of_program("main", ""));
    EXPECT_TRUE(is_of_program("main", __FILE__));
    EXPECT_TRUE(is_of_program("(anonymous namespace)::count(weft::communicator const&)", ""));
    EXPECT_TRUE(is_of_program("std::vector<int> mine::gather<int>(weft::communicator const&)", ""));
    EXPECT_TRUE(is_of_program("main::{lambda(int)#1}::operator()(int) const", ""));
    EXPECT_TRUE(is_of_program("std::_Function_handler<int ()>::_M_invoke()", "/home/me/degree.cpp"));
    EXPECT_FALSE(is_of_program("weft::mailbox::drain()", ""));
    EXPECT_FALSE(is_of_program("weft::(anonymous namespace)::waiting::wait(weft::progress)", ""));
    EXPECT_FALSE(is_of_program("std::vector<int> weft::exchange<int>(weft::outbox<int>&&)", ""));
    EXPECT_FALSE(is_of_program("std::function<void (mine::thing)>::operator()() const", ""));
    EXPECT_FALSE(is_of_program("operator()", "/opt/include/weft/core/run.hpp"));
    EXPECT_FALSE(is_of_program("__invoke_r<int>", "/usr/include/c++/12/bits/invoke.h"));
    EXPECT_FALSE(is_of_program("_start", ""));
}

TEST(call_sites, sources_of_weft_are_not_of_the_program) {
    std::string_view const here = __FILE__;
    std::string_view const own = "tests/observe/call_sites_test.cpp";
    ASSERT_TRUE(here.ends_with(own));
    std::string const root(here.substr(0, here.size() - own.size()));
    EXPECT_FALSE(is_of_program("wait", root + "src/mailbox/mailbox.cpp"));
    EXPECT_TRUE(is_of_program("wait", root + "examples/03_mailbox.cpp"));
}

TEST(call_sites, a_process_that_is_gone_has_no_places) {
    EXPECT_EQ(weft::places_of({{0, {0x1000}}}), std::vector<std::string>{""});
    EXPECT_EQ(weft::places_of({}), std::vector<std::string>{});
}
